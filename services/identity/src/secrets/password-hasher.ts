import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@tollgate/core';
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
  const queue = createWorkQueue(concurrency, queuedMax);
  let standIn: Promise<string> | undefined;
  return {
    hash: (password) => queue.run(() => hash(password, cost)),
    async verify(stored, password) {
      standIn ??= hash('nobody has this password', cost);
      const known = stored ?? (await standIn);
      const matches = await queue.run(() => verify(known, password));
      return matches && stored !== undefined;
    },
  };
}

interface WorkQueue {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

function createWorkQueue(concurrency: number, queuedMax: number): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= concurrency) {
        if (waiting.length >= queuedMax) {
          throw new AppError('SERVICE_UNAVAILABLE', {
            internalMessage: 'too many passwords wait to be hashed',
            retryAfterMs: 1000,
          });
        }
        // The one that ends leaves its part of `running` to this one: no other can come between.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
