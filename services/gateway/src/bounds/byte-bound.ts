/** The bytes that all clients together may make the gateway hold in memory. */
export interface ByteBound {
  /** Bytes that are held now. */
  readonly held: number;
  /** Counts bytes that are held already; false when that exceeds the bound. */
  add(bytes: number): boolean;
  release(bytes: number): void;
  /** The room of one owner, who never holds more than is then still free. */
  ofOwner(owner: string): OwnerBytes;
}

/**
 * The bytes that one owner takes and gives back: an account, or the network of a client without one.
 */
export interface OwnerBytes {
  /** False, and nothing is counted, when there is no room for them. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/**
 * One bound for one kind of bytes of the whole process. An owner may hold as much as it leaves free:
 * alone half of the room, beside another heavy one a third. So nobody is refused because of
 * what a single one sends.
 */
export function createByteBound(bytesMax: number): ByteBound {
  let held = 0;
  const heldByOwner = new Map<string, number>();
  const takeFor = (owner: string, bytes: number) => {
    const ofOwner = (heldByOwner.get(owner) ?? 0) + bytes;
    const isWithin = ofOwner <= bytesMax - held - bytes;
    if (isWithin) {
      held += bytes;
      heldByOwner.set(owner, ofOwner);
    }
    return isWithin;
  };
  const releaseFor = (owner: string, bytes: number) => {
    held -= bytes;
    const ofOwner = (heldByOwner.get(owner) ?? 0) - bytes;
    if (ofOwner > 0) heldByOwner.set(owner, ofOwner);
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
