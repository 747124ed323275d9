import { crc32 } from 'node:zlib';

// A frame is: two marker bytes, the payload's length (uint32), its CRC-32 (uint32), the payload.
const MARKER = 0x7467;
const HEADER_BYTES = 10;
const HEADER_ROOM = ' '.repeat(HEADER_BYTES);
/** Longest payload of one record; anything above is read as damage. */
const PAYLOAD_BYTES_MAX = 64 * 1024;

/** Wraps a payload for the file. */
export function encodeFrame(payload: Buffer): Buffer {
  if (payload.length > PAYLOAD_BYTES_MAX) throw new RangeError('spool record is too long');
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  payload.copy(frame, HEADER_BYTES);
  return writeHeader(frame);
}

/** As `encodeFrame`, of a text: written where it stays, without a copy. */
export function encodeTextFrame(format: string, text: string): Buffer {
  const frame = Buffer.from(`${HEADER_ROOM}${format}${text}`);
  if (frame.length - HEADER_BYTES > PAYLOAD_BYTES_MAX) {
    throw new RangeError('spool record is too long');
  }
  return writeHeader(frame);
}

function writeHeader(frame: Buffer): Buffer {
  frame.writeUInt16BE(MARKER, 0);
  frame.writeUInt32BE(frame.length - HEADER_BYTES, 2);
  frame.writeUInt32BE(crc32(frame.subarray(HEADER_BYTES)), 6);
  return frame;
}

/** A payload and the bytes that its frame takes in the file. */
export interface ScannedFrame {
  readonly payload: Buffer;
  /** Where the frame begins in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** The content of a file. */
export interface ScannedFile {
  readonly frames: readonly ScannedFrame[];
  /** End of the last whole frame. */
  readonly keptBytes: number;
  /** Bytes after the last whole frame: the trace of a crash. */
  readonly tornBytes: number;
  /** Where it is broken in front of whole frames, in order. */
  readonly brokenAt: readonly number[];
}

/** Reads every whole frame of a file, stepping over what is broken. */
export function scanFrames(file: Buffer): ScannedFile {
  const frames: ScannedFrame[] = [];
  let offset = 0;
  const brokenAt: number[] = [];
  while (offset < file.length) {
    const frame = frameAt(file, offset);
    if (frame !== undefined) {
      frames.push(frame);
      offset += frame.bytes;
      continue;
    }
    const next = nextFrameOffset(file, offset + 1);
    if (next === undefined) break;
    brokenAt.push(offset);
    offset = next;
  }
  return { frames, keptBytes: offset, tornBytes: file.length - offset, brokenAt };
}

function frameAt(file: Buffer, offset: number): ScannedFrame | undefined {
  if (offset + HEADER_BYTES > file.length || file.readUInt16BE(offset) !== MARKER) return undefined;
  const length = file.readUInt32BE(offset + 2);
  const end = offset + HEADER_BYTES + length;
  // A marker in front of zeros is no frame, though 0 is the length and the checksum of no bytes.
  if (length === 0 || length > PAYLOAD_BYTES_MAX || end > file.length) return undefined;
  const payload = file.subarray(offset + HEADER_BYTES, end);
  if (crc32(payload) !== file.readUInt32BE(offset + 6)) return undefined;
  return { payload, offset, bytes: HEADER_BYTES + length };
}

function nextFrameOffset(file: Buffer, from: number): number | undefined {
  const first = MARKER >> 8;
  for (let at = file.indexOf(first, from); at >= 0; at = file.indexOf(first, at + 1)) {
    if (frameAt(file, at) !== undefined) return at;
  }
  return undefined;
}
