/** What waits, by account: each account whose turn comes gives one item, and then stands last. */
export interface AccountQueues<Item extends object> {
  /** Of all accounts. */
  readonly size: number;
  sizeOf(accountId: string): number;
  add(accountId: string, item: Item): void;
  /** The oldest item of the account whose turn it is; undefined when nothing waits. */
  take(): Item | undefined;
  /** False when the item waits no longer. */
  remove(accountId: string, item: Item): boolean;
}

export function createAccountQueues<Item extends object>(): AccountQueues<Item> {
  /** The first account has its turn; none is without items. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (accountId) => queues.get(accountId)?.length ?? 0,
    add(accountId, item) {
      const queue = queues.get(accountId);
      if (queue === undefined) queues.set(accountId, [item]);
      else queue.push(item);
      size += 1;
    },
    take() {
      const [first] = queues;
      if (first === undefined) return undefined;
      const [accountId, [item, ...others]] = first;
      queues.delete(accountId);
      if (others.length > 0) queues.set(accountId, others);
      size -= 1;
      return item;
    },
    remove(accountId, item) {
      const queue = queues.get(accountId) ?? [];
      const place = queue.indexOf(item);
      if (place < 0) return false;
      queue.splice(place, 1);
      if (queue.length === 0) queues.delete(accountId);
      size -= 1;
      return true;
    },
  };
}
