import { createFairShare } from '@tollgate/core';

/** What waits, in a line for each owner. */
export interface WaitingLines<Item extends { readonly owner: string }> {
  /** False when its owner, or all together, may not wait with one more. */
  join(item: Item): boolean;
  /** False when the item does not wait, or no longer. */
  leave(item: Item): boolean;
  /**
   * Takes the oldest item of the owner whose turn it is, among those that may go; an owner that gave
   * one stands last.
   */
  take(mayGo: (owner: string) => boolean): Item | undefined;
}

/** An owner may wait with as many as it leaves free of `waitingMax`. */
export function createWaitingLines<Item extends { readonly owner: string }>(
  waitingMax: number,
): WaitingLines<Item> {
  const room = createFairShare(waitingMax);
  /** In the order of their turns; none is empty. */
  const lines = new Map<string, Set<Item>>();
  return {
    join(item) {
      const { owner } = item;
      if (!room.take(owner)) return false;
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, new Set([item]));
      else line.add(item);
      return true;
    },
    leave(item) {
      const { owner } = item;
      const line = lines.get(owner);
      if (line?.delete(item) !== true) return false;
      room.release(owner);
      if (line.size === 0) lines.delete(owner);
      return true;
    },
    take(mayGo) {
      for (const [owner, line] of lines) {
        if (!mayGo(owner)) continue;
        const [oldest] = line;
        if (oldest === undefined) continue;
        room.release(owner);
        line.delete(oldest);
        lines.delete(owner);
        if (line.size > 0) lines.set(owner, line);
        return oldest;
      }
      return undefined;
    },
  };
}
