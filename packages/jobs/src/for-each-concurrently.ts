/** How many are worked on together, and until when. */
interface AtOnce {
  readonly atOnceMax: number;
  /** No further one is begun when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on several items at once. After a failure no further one is begun; what is under way ends
 * before the first failure is rejected with, so that nothing goes on behind the caller's back.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  { atOnceMax, signal }: AtOnce,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  // Shared: each item is taken by one of the workers.
  const shared = items[Symbol.iterator]();
  const takeInTurn = async (): Promise<void> => {
    while (failures.length === 0 && signal?.aborted !== true) {
      const next = shared.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, takeInTurn));
  if (failures.length > 0) throw failures[0];
}
