/** Work that is done one after another for each key, and side by side for different ones. */
export interface KeyedQueue<Item> {
  push(key: string, item: Item): void;
}

/**
 * Hands the items of a key on in order; those that arrive while the handler is busy go together, at
 * most `groupMax` at once. The handler answers for its items and never rejects.
 */
export function createKeyedQueue<Item>(
  groupMax: number,
  handle: (key: string, group: readonly Item[]) => Promise<void>,
): KeyedQueue<Item> {
  const queues = new Map<string, Item[]>();

  const drain = async (key: string, queue: Item[]): Promise<void> => {
    while (queue.length > 0) await handle(key, queue.splice(0, groupMax));
    queues.delete(key);
  };

  return {
    push(key, item) {
      const waiting = queues.get(key);
      if (waiting !== undefined) {
        waiting.push(item);
        return;
      }
      const queue = [item];
      queues.set(key, queue);
      void drain(key, queue);
    },
  };
}
