/** The bytes that all clients together may make the gateway hold in memory, whoever they are. */
export interface ByteBound {
  /** Bytes that are held now. */
  readonly held: number;
  /** Counts bytes that are held already; false when that exceeds the bound. */
  add(bytes: number): boolean;
  release(bytes: number): void;
}

/** One bound for one kind of bytes of the whole process. */
export function createByteBound(bytesMax: number): ByteBound {
  let held = 0;
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
  };
}
