import { createBoundedMap, type Logger } from '@tollgate/core';
import type { ApiKeyStore } from '../domain/ports';

/** Keeps the time of last use out of the request's way: noted in memory, written in batches. */
export interface LastUseTracker {
  note(keyId: string, at: number): void;
  /** Writes what was noted since the last time. Never rejects: a lost note is only imprecise. */
  flush(): Promise<void>;
}

/** Notes that one write takes: a report of a gateway may bring ten times as many at once. */
const NOTES_MAX = 10_000;
/** Writes that may wait for a slow store; beyond them the oldest notes are dropped. */
const WRITES_WAITING_MAX = 4;

export function createLastUseTracker({
  keys,
  logger,
}: {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
}): LastUseTracker {
  let notes = createBoundedMap<string, number>(NOTES_MAX);
  let written = Promise.resolve();
  let waiting = 0;
  const flush = (): Promise<void> => {
    if (notes.size === 0) return written;
    const batch = new Map(notes.entries());
    notes = createBoundedMap(NOTES_MAX);
    waiting += 1;
    const write = async () => {
      try {
        await keys.touch(batch);
      } catch (error) {
        logger.warn({ error, keys: batch.size }, 'last uses could not be written');
      }
      waiting -= 1;
    };
    // One after the other: they touch the same keys, and nobody waits for them.
    written = written.then(write);
    return written;
  };
  return {
    flush,
    note(keyId, at) {
      const isFull = notes.size === NOTES_MAX && notes.get(keyId) === undefined;
      if (isFull && waiting < WRITES_WAITING_MAX) void flush();
      // Reports of several gateways come in any order.
      notes.set(keyId, Math.max(at, notes.get(keyId) ?? at));
    },
  };
}
