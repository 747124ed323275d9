import { isTransient } from '@tollgate/core';

/**
 * Does the work on one of many: true when it is done. A failure of its own is told to `onFault`, so
 * that the others go on. Rejects with a failure that may pass (`isTransient`), because then nothing
 * is said against it.
 */
export async function isolateOne(
  work: () => Promise<unknown>,
  onFault: (error: unknown) => unknown,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    await onFault(error);
    return false;
  }
}

/**
 * Does work on all items together; when that fails for a reason of one of them, on each half by
 * itself, and so on, so that one bad item stops none of the others and costs few tries. `onFault`
 * hears of each that fails alone. Rejects as `isolateOne` does.
 */
export async function isolate<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  onFault: (item: Item, error: unknown) => unknown,
): Promise<void> {
  await isolateOne(
    () => work(items),
    async (error) => {
      const [first] = items;
      if (first === undefined) throw error;
      if (items.length === 1) {
        await onFault(first, error);
        return;
      }
      const middle = Math.ceil(items.length / 2);
      for (const half of [items.slice(0, middle), items.slice(middle)]) {
        await isolate(half, work, onFault);
      }
    },
  );
}
