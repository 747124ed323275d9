/**
 * What waits, by owner: each owner whose turn comes gives one item, and then stands last. Who is an
 * owner, such as an account or the network of a client without one, the caller decides.
 */
export interface OwnerQueues<Item extends object> {
  /** How many items of all owners wait. */
  readonly size: number;
  sizeOf(owner: string): number;
  add(owner: string, item: Item): void;
  /**
   * The oldest item of the owner whose turn it is, among those that may go: all unless given, and one
   * that may not go keeps its turn. Undefined when nothing waits that may.
   */
  take(mayGo?: (owner: string) => boolean): Item | undefined;
  /** False when the item waits no longer. */
  remove(owner: string, item: Item): boolean;
}

export function createOwnerQueues<Item extends object>(): OwnerQueues<Item> {
  /** The first owner has its turn; none is without items. */
  const queues = new Map<string, Set<Item>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (owner) => queues.get(owner)?.size ?? 0,
    add(owner, item) {
      const queue = queues.get(owner);
      if (queue === undefined) queues.set(owner, new Set([item]));
      else queue.add(item);
      size += 1;
    },
    take(mayGo = () => true) {
      for (const [owner, queue] of queues) {
        const [oldest] = queue;
        if (oldest === undefined || !mayGo(owner)) continue;
        queue.delete(oldest);
        queues.delete(owner);
        if (queue.size > 0) queues.set(owner, queue);
        size -= 1;
        return oldest;
      }
      return undefined;
    },
    remove(owner, item) {
      const queue = queues.get(owner);
      if (queue?.delete(item) !== true) return false;
      if (queue.size === 0) queues.delete(owner);
      size -= 1;
      return true;
    },
  };
}
