/**
 * Slots, or bytes, that owners share, such as accounts: what one of them holds leaves room for the
 * others. Unless a count is given it is one slot.
 */
export interface FairShare {
  /** Slots that are held. */
  readonly held: number;
  /** Whether the owner may have so many more now. */
  hasRoom(owner: string, count?: number): boolean;
  /** False, and nothing is taken, when the owner has no room. */
  take(owner: string, count?: number): boolean;
  /** Gives back what the owner holds. */
  release(owner: string, count?: number): void;
  /** Those that hold some and may have no more now. */
  ownersWithoutRoom(): readonly string[];
}

/**
 * An owner gets a slot while it holds less than `factor` times what is free. With 1 that is as many
 * as it leaves free: alone half of `max`, beside another heavy one a third; with 3 it is alone three
 * quarters. So what a single one holds leaves room for others, unless there are only a few slots.
 */
export function createFairShare(max: number, factor = 1): FairShare {
  const heldByOwner = new Map<string, number>();
  let held = 0;
  /** Whether the owner, were it given all but the last of them, would still get the last one. */
  const hasRoom = (owner: string, count = 1) =>
    (heldByOwner.get(owner) ?? 0) + count - 1 < factor * (max - held - count + 1);
  return {
    get held() {
      return held;
    },
    hasRoom,
    take(owner, count = 1) {
      if (!hasRoom(owner, count)) return false;
      held += count;
      heldByOwner.set(owner, (heldByOwner.get(owner) ?? 0) + count);
      return true;
    },
    release(owner, count = 1) {
      held -= count;
      const own = (heldByOwner.get(owner) ?? 0) - count;
      if (own > 0) heldByOwner.set(owner, own);
      else heldByOwner.delete(owner);
    },
    ownersWithoutRoom: () => [...heldByOwner.keys()].filter((owner) => !hasRoom(owner)),
  };
}
