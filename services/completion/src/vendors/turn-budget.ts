/** Of one stream in one turn of the loop: some thirty events, in less than a millisecond. */
const TURN_BYTES_MAX = 8 * 1024;

/**
 * What of a stream may be read before everybody else has a turn. Only a long read of the socket can
 * pass it, so a stream whose reads are short, as nearly all are, costs nothing but to look.
 */
export class TurnBudget {
  /** A long read, and how much of it was read in this turn. */
  #read: ArrayBufferLike | undefined;
  #bytes = 0;

  get isSpent(): boolean {
    return this.#bytes >= TURN_BYTES_MAX;
  }

  /** As much of the chunk as may be read in this turn. Chunks of one read are parts of one buffer. */
  partOf(chunk: Buffer): Buffer {
    if (chunk.buffer.byteLength <= TURN_BYTES_MAX) return chunk;
    if (this.#read !== chunk.buffer) this.restart();
    this.#read = chunk.buffer;
    const part = chunk.subarray(0, TURN_BYTES_MAX - this.#bytes);
    this.#bytes += part.length;
    return part;
  }

  /** A new turn begins. */
  restart(): void {
    this.#read = undefined;
    this.#bytes = 0;
  }
}
