import { type Clock, createBoundedMap } from '@tollgate/core';

/** Until when what failed is left alone; in memory, so that a restart tries all of it at once. */
export interface RetryTimes {
  isDue(id: string): boolean;
  /** It failed and has not succeeded since. */
  has(id: string): boolean;
  add(id: string): void;
  /** It succeeded; true when it had failed before. */
  release(id: string): boolean;
}

/** Ids that are remembered; a forgotten one is tried sooner. */
const REMEMBERED_MAX = 10_000;

export function createRetryTimes(clock: Clock, retryMs: number): RetryTimes {
  const dueMonotonicMs = createBoundedMap<string, number>(REMEMBERED_MAX);
  return {
    isDue: (id) => (dueMonotonicMs.get(id) ?? Number.NEGATIVE_INFINITY) <= clock.monotonicMs(),
    has: (id) => dueMonotonicMs.get(id) !== undefined,
    add(id) {
      dueMonotonicMs.set(id, clock.monotonicMs() + retryMs);
    },
    release: (id) => dueMonotonicMs.delete(id),
  };
}
