/** The bytes that all clients together may make the gateway hold in memory. */
export interface ByteBudget {
  /** Bytes that are held now. */
  readonly held: number;
  /** Counts bytes that are held already; false when that exceeds the budget. */
  add(bytes: number): boolean;
  release(bytes: number): void;
  /** The budget for one owner, who never holds more than is then still free. */
  ofOwner(owner: string): OwnerBytes;
}

/**
 * What one owner takes from the budget and gives back: an account, or the network of a client without
 * one.
 */
export interface OwnerBytes {
  /** False, and nothing is counted, when there is no room for them. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/**
 * One budget for one kind of bytes of the whole process. An owner may hold as much as it leaves
 * free: alone half of the budget, beside another heavy one a third. So nobody is refused because of
 * what a single one sends.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  let held = 0;
  const heldByOwner = new Map<string, number>();
  const takeFor = (owner: string, bytes: number) => {
    const own = (heldByOwner.get(owner) ?? 0) + bytes;
    const isWithin = own <= bytesMax - held - bytes;
    if (isWithin) {
      held += bytes;
      heldByOwner.set(owner, own);
    }
    return isWithin;
  };
  const releaseFor = (owner: string, bytes: number) => {
    held -= bytes;
    const own = (heldByOwner.get(owner) ?? 0) - bytes;
    if (own > 0) heldByOwner.set(owner, own);
    else heldByOwner.delete(owner);
  };
  return {
    get held() {
      return held;
    },
    add(bytes) {
      held += bytes;
      return held <= bytesMax;
    },
    release(bytes) {
      held -= bytes;
    },
    ofOwner: (owner) => ({
      take: (bytes) => takeFor(owner, bytes),
      release: (bytes) => releaseFor(owner, bytes),
    }),
  };
}
