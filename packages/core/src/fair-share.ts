/** Places that owners share, such as accounts: what one of them holds leaves room for the others. */
export interface FairShare {
  /** Places that are held. */
  readonly held: number;
  /** Whether the owner may have one more now. */
  hasRoom(owner: string): boolean;
  /** False, and nothing is taken, when the owner has no room. */
  take(owner: string): boolean;
  /** Gives back one that the owner holds. */
  release(owner: string): void;
  /** Those that hold some and may have no more now. */
  ownersWithoutRoom(): readonly string[];
}

/**
 * An owner gets a place while it holds less than `part` times what is free. With 1 that is as many
 * as it leaves free: alone half of `max`, beside another heavy one a third; with 3 it is alone three
 * quarters. So what a single one holds leaves room for others, unless there are only a few places.
 */
export function createFairShare(max: number, part = 1): FairShare {
  const heldByOwner = new Map<string, number>();
  let held = 0;
  const hasRoom = (owner: string) => (heldByOwner.get(owner) ?? 0) < part * (max - held);
  return {
    get held() {
      return held;
    },
    hasRoom,
    take(owner) {
      if (!hasRoom(owner)) return false;
      held += 1;
      heldByOwner.set(owner, (heldByOwner.get(owner) ?? 0) + 1);
      return true;
    },
    release(owner) {
      held -= 1;
      const own = (heldByOwner.get(owner) ?? 0) - 1;
      if (own > 0) heldByOwner.set(owner, own);
      else heldByOwner.delete(owner);
    },
    ownersWithoutRoom: () => [...heldByOwner.keys()].filter((owner) => !hasRoom(owner)),
  };
}
