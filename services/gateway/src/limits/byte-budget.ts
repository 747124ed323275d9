/** What all clients together may make the gateway hold in memory. */
export interface ByteBudget {
  /** Bytes that are held now. */
  readonly held: number;
  /** False, and nothing is counted, when there is no room for them. */
  take(bytes: number): boolean;
  /** Counts what is held already; true while the budget is kept. */
  count(bytes: number): boolean;
  release(bytes: number): void;
}

/** One budget for one kind of bytes of the whole process. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let held = 0;
  return {
    get held() {
      return held;
    },
    take(bytes) {
      if (held + bytes > bytesMax) return false;
      held += bytes;
      return true;
    },
    count(bytes) {
      held += bytes;
      return held <= bytesMax;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}
