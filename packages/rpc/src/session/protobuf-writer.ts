import { UINT32_MAX } from '../wire-values';

/** Initial room beside the bytes that are known to be large. */
const ROOM_BYTES = 512;
/** Longer text is written by Node's own encoder, which then beats a loop. */
const LOOP_LENGTH_MAX = 64;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Writes one protobuf message into one buffer, nested messages in place. The writer that generated
 * codecs bring along keeps a list of bytes for every level of nesting and copies each into the one
 * above, which costs several times as much. It has the methods that generated code calls, under the
 * names by which it calls them.
 */
export class ProtobufWriter {
  #bytes: Buffer;
  #position = 0;
  /** Where the length of each open nested message will stand. */
  readonly #starts: number[] = [];
  readonly #lengthWidth: number;

  /** `payloadBytes` is what the large members will take; a wrong guess costs time, nothing else. */
  constructor(payloadBytes: number) {
    this.#bytes = Buffer.allocUnsafe(payloadBytes + ROOM_BYTES);
    this.#lengthWidth = varintWidth(payloadBytes);
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#position);
  }

  uint32(value: number): this {
    // Infinity would be divided for ever, and nothing else in the process would run any more.
    if (!(value >= 0 && value <= UINT32_MAX)) throw new RangeError(`${value} is no uint32`);
    this.#reserve(5);
    this.#varint(value);
    return this;
  }

  int32(value: number): this {
    return this.int64(BigInt(value));
  }

  int64(value: bigint): this {
    this.#reserve(10);
    if (value >= 0n && value <= SAFE_MAX) {
      this.#varint(Number(value));
      return this;
    }
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) {
      this.#bytes[this.#position++] = Number(rest & 0x7fn) | 0x80;
    }
    this.#bytes[this.#position++] = Number(rest);
    return this;
  }

  bool(value: boolean): this {
    this.#reserve(1);
    this.#bytes[this.#position++] = value ? 1 : 0;
    return this;
  }

  double(value: number): this {
    this.#reserve(8);
    this.#position = this.#bytes.writeDoubleLE(value, this.#position);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(5 + value.length);
    this.#varint(value.length);
    this.#bytes.set(value, this.#position);
    this.#position += value.length;
    return this;
  }

  string(value: string): this {
    const { length } = value;
    this.#reserve(5 + length * 3);
    if (length > LOOP_LENGTH_MAX || !this.#ascii(value)) {
      this.#varint(Buffer.byteLength(value));
      this.#position += this.#bytes.write(value, this.#position);
    }
    return this;
  }

  /** Begins a nested message; its length is filled in by `join`. */
  fork(): this {
    this.#reserve(this.#lengthWidth);
    this.#starts.push(this.#position);
    this.#position += this.#lengthWidth;
    return this;
  }

  join(): this {
    const start = this.#starts.pop();
    if (start === undefined) throw new Error('join without fork');
    const begin = start + this.#lengthWidth;
    const length = this.#position - begin;
    const width = varintWidth(length);
    if (width !== this.#lengthWidth) {
      this.#reserve(5);
      this.#bytes.copyWithin(start + width, begin, this.#position);
    }
    this.#position = start;
    this.#varint(length);
    this.#position += length;
    return this;
  }

  /** Writes short ASCII text with its length; false, and nothing written, for any other. */
  #ascii(value: string): boolean {
    const bytes = this.#bytes;
    const begin = this.#position + 1;
    for (let index = 0; index < value.length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) return false;
      bytes[begin + index] = unit;
    }
    bytes[this.#position] = value.length;
    this.#position = begin + value.length;
    return true;
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) {
      this.#bytes[this.#position++] = (rest & 0x7f) | 0x80;
    }
    this.#bytes[this.#position++] = rest;
  }

  #reserve(count: number): void {
    if (this.#position + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#position + count));
    this.#bytes.copy(larger, 0, 0, this.#position);
    this.#bytes = larger;
  }
}

function varintWidth(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 5;
}
