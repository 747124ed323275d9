import { hash, verify } from '@node-rs/argon2';
import { createTurns } from '@tollgate/core';
import type { PasswordHasher } from '../domain/ports';

/** The cost of one hash, and how many are made at once. */
export interface PasswordHasherOptions {
  /** Hashes that run together; each takes `memoryKib` and a thread of the pool. */
  readonly concurrency: number;
  /** Hashes that may wait for others to finish; one more is refused. */
  readonly queuedMax: number;
  readonly memoryKib: number;
  readonly passes: number;
}

/**
 * Argon2id, bounded: hashing is the most expensive thing that a stranger can ask for. Verifying
 * without a hash uses a stand-in of the same cost, so that the time does not tell who has none.
 */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { concurrency, queuedMax, memoryKib, passes } = options;
  // Argon2id is the library's default algorithm.
  const cost = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
  const inTurn = createTurns({
    atOnceMax: concurrency,
    waitingMax: queuedMax,
    whoWaits: 'passwords to be hashed',
  });
  let standIn: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    async verify(stored, password) {
      standIn ??= hash('nobody has this password', cost);
      const known = stored ?? (await standIn);
      const matches = await inTurn(() => verify(known, password));
      return matches && stored !== undefined;
    },
  };
}
