import { createFairShare, createOwnerQueues } from '@tollgate/core';

/** What waits, in a queue for each owner. */
export interface WaitingQueues<Item extends { readonly owner: string }> {
  /** Of all owners. */
  readonly waiting: number;
  /** Whether the owner has any in its queue. */
  has(owner: string): boolean;
  /** False when its owner may not wait with one more. */
  join(item: Item): boolean;
  /** False when the item does not wait, or no longer. */
  leave(item: Item): boolean;
  /** The oldest item of the owner whose turn it is, among those that may go. */
  take(mayGo: (owner: string) => boolean): Item | undefined;
}

/** An owner may wait with as many as it leaves free of `waitingMax`. */
export function createWaitingQueues<Item extends { readonly owner: string }>(
  waitingMax: number,
): WaitingQueues<Item> {
  const room = createFairShare(waitingMax);
  const queues = createOwnerQueues<Item>();
  return {
    get waiting() {
      return room.held;
    },
    has: (owner) => queues.sizeOf(owner) > 0,
    join(item) {
      const mayWait = room.take(item.owner);
      if (mayWait) queues.add(item.owner, item);
      return mayWait;
    },
    leave(item) {
      const waited = queues.remove(item.owner, item);
      if (waited) room.release(item.owner);
      return waited;
    },
    take(mayGo) {
      const next = queues.take(mayGo);
      if (next !== undefined) room.release(next.owner);
      return next;
    },
  };
}
