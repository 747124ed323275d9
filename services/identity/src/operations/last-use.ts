import { createBoundedMap, type Logger } from '@tollgate/core';
import type { ApiKeyStore } from '../domain/ports';

/** Keeps the time of last use out of the request's way: held in memory, written in batches. */
export interface LastUseTracker {
  record(keyId: string, atMs: number): void;
  /** Writes what was recorded since the last time. Never rejects: a lost use is only imprecise. */
  flush(): Promise<void>;
}

/** Keys whose use one write takes: a report of a gateway may bring ten times as many at once. */
const KEYS_MAX = 10_000;
/** Writes that may wait for a slow store; beyond them the oldest uses are dropped. */
const WRITES_WAITING_MAX = 4;

export function createLastUseTracker({
  keys,
  logger,
}: {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
}): LastUseTracker {
  let uses = createBoundedMap<string, number>(KEYS_MAX);
  let written = Promise.resolve();
  let waiting = 0;
  const flush = (): Promise<void> => {
    if (uses.size === 0) return written;
    const batch = new Map(uses.entries());
    uses = createBoundedMap(KEYS_MAX);
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
    record(keyId, atMs) {
      const isFull = uses.size === KEYS_MAX && uses.get(keyId) === undefined;
      if (isFull && waiting < WRITES_WAITING_MAX) void flush();
      // Reports of several gateways come in any order.
      uses.set(keyId, Math.max(atMs, uses.get(keyId) ?? atMs));
    },
  };
}
