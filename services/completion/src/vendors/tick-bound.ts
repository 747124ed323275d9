/** Read of one answer in one tick of the event loop: some thirty events, below a millisecond. */
const TICK_BYTES_MAX = 8 * 1024;

/**
 * Bounds how much of an answer is read before others are served. Only a long read of the socket can
 * pass the bound; nearly all reads are short, and then it costs no more than a comparison.
 */
export class TickBound {
  /** A long read, and how much of it was read in this tick. */
  #read: ArrayBufferLike | undefined;
  #bytes = 0;

  get isReached(): boolean {
    return this.#bytes >= TICK_BYTES_MAX;
  }

  /** As much of the chunk as may be read in this tick. Chunks of one read are parts of one buffer. */
  partOf(chunk: Buffer): Buffer {
    if (chunk.buffer.byteLength <= TICK_BYTES_MAX) return chunk;
    if (this.#read !== chunk.buffer) this.restart();
    this.#read = chunk.buffer;
    const part = chunk.subarray(0, TICK_BYTES_MAX - this.#bytes);
    this.#bytes += part.length;
    return part;
  }

  /** A new tick begins. */
  restart(): void {
    this.#read = undefined;
    this.#bytes = 0;
  }
}
