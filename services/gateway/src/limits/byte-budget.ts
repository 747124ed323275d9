/** The bytes that all clients together may make the gateway hold in memory. */
export interface ByteBudget {
  /** Bytes that are held now. */
  readonly held: number;
  /** False, and nothing is counted, when there is no room for them. */
  take(bytes: number): boolean;
  /** Counts bytes that are held already; false when that exceeds the budget. */
  add(bytes: number): boolean;
  release(bytes: number): void;
  /** The same budget, of which one account takes only its share. */
  shareOf(accountId: string): AccountBytes;
}

/** A holder of bytes from a budget. */
export type AccountBytes = Pick<ByteBudget, 'take' | 'release'>;

/**
 * One budget for one kind of bytes of the whole process. An account may hold as much as it leaves
 * free: alone half of the budget, beside another heavy one a third. So nobody is refused because of
 * what a single account sends.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  let held = 0;
  const heldByAccount = new Map<string, number>();
  const takeFor = (accountId: string, bytes: number) => {
    const own = (heldByAccount.get(accountId) ?? 0) + bytes;
    const isWithin = own <= bytesMax - held - bytes;
    if (isWithin) {
      held += bytes;
      heldByAccount.set(accountId, own);
    }
    return isWithin;
  };
  const releaseFor = (accountId: string, bytes: number) => {
    held -= bytes;
    const own = (heldByAccount.get(accountId) ?? 0) - bytes;
    if (own > 0) heldByAccount.set(accountId, own);
    else heldByAccount.delete(accountId);
  };
  return {
    get held() {
      return held;
    },
    take(bytes) {
      if (held + bytes > bytesMax) return false;
      held += bytes;
      return true;
    },
    add(bytes) {
      held += bytes;
      return held <= bytesMax;
    },
    release(bytes) {
      held -= bytes;
    },
    shareOf: (accountId) => ({
      take: (bytes) => takeFor(accountId, bytes),
      release: (bytes) => releaseFor(accountId, bytes),
    }),
  };
}
