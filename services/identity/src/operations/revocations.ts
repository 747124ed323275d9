import { createWakeup } from '@tollgate/jobs';
import type { PrincipalDelta } from '../domain/ports';
import type { Dependencies } from './dependencies';

/** Where deltas go. */
export interface DeltaSink {
  /** False when the peer reads too slowly: wait for `drained`. */
  write(delta: PrincipalDelta): boolean;
  drained(): Promise<void>;
}

/** Twice as often as promised, so that one late timer breaks nothing. */
const HEARTBEAT_MS = 500;

/** Changes of one delta; a reader that stalls for longer forgets everything instead. */
const JOINED_MAX = 10_000;

type RevocationDependencies = Pick<Dependencies, 'clock' | 'principalLog'>;

export function createRevocationOperations(deps: RevocationDependencies) {
  return {
    watchRevocations: (afterRevision: bigint, out: DeltaSink, signal: AbortSignal) =>
      watchRevocations(deps, afterRevision, out, signal),
  };
}

/**
 * Pushes every change after the revision, and a heartbeat when there is none. A slow reader costs
 * little memory: changes that pile up are joined into one delta, and into a reset when it is large.
 */
async function watchRevocations(
  { clock, principalLog }: RevocationDependencies,
  afterRevision: bigint,
  out: DeltaSink,
  signal: AbortSignal,
): Promise<void> {
  let sent = afterRevision === 0n ? principalLog.revision() : afterRevision;
  let pending: PrincipalDelta = { revision: sent, changes: [], reset: false };
  const changed = createWakeup();
  const unsubscribe = principalLog.subscribe(sent, (delta) => {
    pending = joinDeltas(pending, delta);
    changed.wake();
  });
  try {
    while (!signal.aborted) {
      changed.clear();
      const delta = pending;
      sent = delta.revision;
      pending = { revision: sent, changes: [], reset: false };
      if (!out.write(delta)) await out.drained();
      await changed.pause(clock, HEARTBEAT_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}

function joinDeltas(earlier: PrincipalDelta, later: PrincipalDelta): PrincipalDelta {
  if (later.reset) return later;
  const { revision } = later;
  if (earlier.reset || earlier.changes.length + later.changes.length > JOINED_MAX) {
    return { revision, changes: [], reset: true };
  }
  return { revision, changes: [...earlier.changes, ...later.changes], reset: false };
}
