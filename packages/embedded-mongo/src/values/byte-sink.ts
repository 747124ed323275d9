/** Bytes that grow at the end; one is reused for many values, so that encoding allocates little. */
export interface ByteSink {
  buffer: Buffer;
  length: number;
}

/** A sink with so much room at first; it grows by doubling. */
export function createByteSink(capacityBytes: number): ByteSink {
  return { buffer: Buffer.allocUnsafe(capacityBytes), length: 0 };
}

/** Memory of a sink that is kept between calls: at first, and at most. */
const KEPT_BYTES = 65_536;
const KEPT_BYTES_MAX = 4_194_304;

/** A sink that is kept between calls; `shrink` gives back what a large value made it take. */
export function createKeptSink(): ByteSink {
  return createByteSink(KEPT_BYTES);
}

export function shrink(sink: ByteSink): void {
  if (sink.buffer.length > KEPT_BYTES_MAX) sink.buffer = Buffer.allocUnsafe(KEPT_BYTES);
}

/** Makes room for `extraBytes` more at the end. */
export function ensureRoom(sink: ByteSink, extraBytes: number): void {
  const needed = sink.length + extraBytes;
  if (needed <= sink.buffer.length) return;
  const larger = Buffer.allocUnsafe(Math.max(needed, sink.buffer.length * 2));
  sink.buffer.copy(larger, 0, 0, sink.length);
  sink.buffer = larger;
}

export function putByte(sink: ByteSink, byte: number): void {
  ensureRoom(sink, 1);
  sink.buffer[sink.length] = byte;
  sink.length += 1;
}

export function putBytes(sink: ByteSink, bytes: Uint8Array): void {
  ensureRoom(sink, bytes.length);
  sink.buffer.set(bytes, sink.length);
  sink.length += bytes.length;
}

export function putInt32(sink: ByteSink, value: number): void {
  ensureRoom(sink, 4);
  sink.length = sink.buffer.writeInt32LE(value, sink.length);
}

/** Up to this length a loop over ASCII is faster than a call into the runtime. */
const SHORT_TEXT_LENGTH = 32;

/** Writes UTF-8 without a terminator and answers the number of bytes. */
export function putText(sink: ByteSink, text: string): number {
  ensureRoom(sink, text.length * 3);
  if (text.length <= SHORT_TEXT_LENGTH && putShortAscii(sink, text)) return text.length;
  const written = sink.buffer.write(text, sink.length, 'utf8');
  sink.length += written;
  return written;
}

/** False, with nothing written, when the text is more than ASCII. */
function putShortAscii(sink: ByteSink, text: string): boolean {
  const { buffer, length } = sink;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    buffer[length + index] = unit;
  }
  sink.length = length + text.length;
  return true;
}

/** A copy of what was written since `from`; the sink can be reused afterwards. */
export function copySince(sink: ByteSink, from: number): Buffer {
  return Buffer.from(sink.buffer.subarray(from, sink.length));
}
