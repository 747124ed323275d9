import { type Clock, createBoundedMap, isPassing } from '@tollgate/core';

/**
 * Does work on all items together; when that fails for a reason of one of them, on each alone, so
 * that one bad item stops none of the others. `onFault` hears of each that fails alone. Rejects
 * with a failure that may pass (`isPassing`), because then nothing is said against any item.
 */
export async function isolate<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  onFault: (item: Item, error: unknown) => unknown,
): Promise<void> {
  try {
    await work(items);
  } catch (error) {
    if (isPassing(error)) throw error;
    const [first, ...others] = items;
    if (first === undefined) throw error;
    if (others.length === 0) await onFault(first, error);
    else for (const item of items) await isolate([item], work, onFault);
  }
}

/** Remembers when a job may try again what failed alone; in memory, so a restart tries at once. */
export interface RetryTimes {
  isDue(id: string): boolean;
  postpone(id: string): void;
  /** It succeeded; true when it had been postponed. */
  forget(id: string): boolean;
}

/** Ids that are remembered; a forgotten one is tried sooner. */
const REMEMBERED_MAX = 10_000;

export function createRetryTimes(clock: Clock, retryMs: number): RetryTimes {
  const dueAtMs = createBoundedMap<string, number>(REMEMBERED_MAX);
  return {
    isDue: (id) => (dueAtMs.get(id) ?? Number.NEGATIVE_INFINITY) <= clock.monotonicMs(),
    postpone(id) {
      dueAtMs.set(id, clock.monotonicMs() + retryMs);
    },
    forget: (id) => dueAtMs.delete(id),
  };
}
