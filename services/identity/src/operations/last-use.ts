import { createBoundedMap, type Logger } from '@tollgate/core';
import type { ApiKeyStore } from '../domain/ports';

/** Keeps the time of last use out of the request's way: noted in memory, written in batches. */
export interface LastUseTracker {
  note(keyId: string, at: number): void;
  /** Writes what was noted since the last time. Never rejects: a lost note is only imprecise. */
  flush(): Promise<void>;
}

const NOTES_MAX = 10_000;

export function createLastUseTracker({
  keys,
  logger,
}: {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
}): LastUseTracker {
  let notes = createBoundedMap<string, number>(NOTES_MAX);
  return {
    note(keyId, at) {
      // Reports of several gateways come in any order.
      notes.set(keyId, Math.max(at, notes.get(keyId) ?? at));
    },
    async flush() {
      if (notes.size === 0) return;
      const batch = new Map(notes.entries());
      notes = createBoundedMap(NOTES_MAX);
      await keys.touch(batch).catch((error: unknown) => {
        logger.warn({ error, keys: batch.size }, 'last uses could not be written');
      });
    },
  };
}
