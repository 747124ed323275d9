/**
 * What waits, by owner, which is an account, or the network of a client without one: each owner whose
 * turn comes gives one item, and then stands last.
 */
export interface OwnerQueues<Item extends object> {
  /** How many items of all owners wait. */
  readonly size: number;
  sizeOf(owner: string): number;
  add(owner: string, item: Item): void;
  /** The oldest item of the owner whose turn it is; undefined when nothing waits. */
  take(): Item | undefined;
  /** False when the item waits no longer. */
  remove(owner: string, item: Item): boolean;
}

export function createOwnerQueues<Item extends object>(): OwnerQueues<Item> {
  /** The first owner has its turn; none is without items. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (owner) => queues.get(owner)?.length ?? 0,
    add(owner, item) {
      const queue = queues.get(owner);
      if (queue === undefined) queues.set(owner, [item]);
      else queue.push(item);
      size += 1;
    },
    take() {
      const [first] = queues;
      if (first === undefined) return undefined;
      const [owner, [item, ...others]] = first;
      queues.delete(owner);
      if (others.length > 0) queues.set(owner, others);
      size -= 1;
      return item;
    },
    remove(owner, item) {
      const queue = queues.get(owner) ?? [];
      const place = queue.indexOf(item);
      if (place < 0) return false;
      queue.splice(place, 1);
      if (queue.length === 0) queues.delete(owner);
      size -= 1;
      return true;
    },
  };
}
