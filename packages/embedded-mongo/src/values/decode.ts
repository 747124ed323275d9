import { Binary, BSONRegExp, Double, Int32, ObjectId } from 'bson';
import { CommandError } from '../errors';
import type { Document, Value } from './value';

/** MongoDB allows about as much; deeper input would exhaust the stack of recursive code. */
export const DOCUMENT_DEPTH_MAX = 100;

interface Reader {
  readonly bytes: Buffer;
  at: number;
  depth: number;
}

/** Reads one document that starts at `offset`; malformed bytes are a CommandError. */
export function decodeDocument(bytes: Buffer, offset = 0): Document {
  try {
    return readDocument({ bytes, at: offset, depth: 0 });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // Reading past the end, or a value that its own type refuses.
    throw malformed(String(error));
  }
}

function malformed(reason: string): CommandError {
  return new CommandError('BadValue', `Invalid BSON: ${reason}`);
}

/** Checks the frame of a document or array and answers where its elements end. */
function enter(reader: Reader): number {
  const size = reader.bytes.readInt32LE(reader.at);
  const end = reader.at + size - 1;
  if (size < 5 || end >= reader.bytes.length || reader.bytes[end] !== 0) {
    throw malformed('a document has a wrong length');
  }
  reader.depth += 1;
  if (reader.depth > DOCUMENT_DEPTH_MAX) {
    throw new CommandError('Overflow', `BSON is nested deeper than ${DOCUMENT_DEPTH_MAX}`);
  }
  reader.at += 4;
  return end;
}

function leave(reader: Reader, end: number): void {
  if (reader.at !== end) throw malformed('an element runs past its document');
  reader.at = end + 1;
  reader.depth -= 1;
}

function readDocument(reader: Reader): Document {
  const document: Document = new Map();
  const end = enter(reader);
  while (reader.at < end) {
    const type = reader.bytes[reader.at] ?? 0;
    reader.at += 1;
    const name = readCString(reader);
    document.set(name, readValue(reader, type));
  }
  leave(reader, end);
  return document;
}

function readArray(reader: Reader): Value[] {
  const values: Value[] = [];
  const end = enter(reader);
  while (reader.at < end) {
    const type = reader.bytes[reader.at] ?? 0;
    // The names of array elements are their positions by definition and carry nothing.
    reader.at = endOfCString(reader) + 1;
    values.push(readValue(reader, type));
  }
  leave(reader, end);
  return values;
}

function endOfCString(reader: Reader): number {
  const end = reader.bytes.indexOf(0, reader.at);
  if (end < 0) throw malformed('a name has no end');
  return end;
}

/*
 * Documents repeat a few field names over and over: the text of a name is remembered by a hash of
 * its bytes, which saves making it again. A slot is checked in full before it is believed.
 */
const NAME_SLOTS = 4_096;
const rememberedNames: string[] = new Array<string>(NAME_SLOTS).fill('');

function readCString(reader: Reader): string {
  const { bytes, at } = reader;
  let end = at;
  let ascii = true;
  let hash = 0;
  for (;;) {
    const byte = bytes[end];
    if (byte === undefined) throw malformed('a name has no end');
    if (byte === 0) break;
    if (byte > 0x7f) ascii = false;
    hash = (Math.imul(hash, 31) + byte) | 0;
    end += 1;
  }
  reader.at = end + 1;
  if (!ascii) return bytes.toString('utf8', at, end);
  const slot = (hash ^ (hash >>> 12)) & (NAME_SLOTS - 1);
  const remembered = rememberedNames[slot] ?? '';
  if (isWrittenAt(remembered, bytes, at, end)) return remembered;
  const name = bytes.toString('latin1', at, end);
  rememberedNames[slot] = name;
  return name;
}

/** Whether the bytes are exactly this name; the caller knows that they are ASCII. */
function isWrittenAt(name: string, bytes: Buffer, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (name.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}

function readText(reader: Reader): string {
  const size = reader.bytes.readInt32LE(reader.at);
  const start = reader.at + 4;
  const end = start + size - 1;
  if (size < 1 || end >= reader.bytes.length || reader.bytes[end] !== 0) {
    throw malformed('a string has a wrong length');
  }
  reader.at = end + 1;
  return reader.bytes.toString('utf8', start, end);
}

function take(reader: Reader, size: number): Buffer {
  const end = reader.at + size;
  if (size < 0 || end > reader.bytes.length) throw malformed('a value runs past the end');
  const part = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return part;
}

function readValue(reader: Reader, type: number): Value {
  const { bytes, at } = reader;
  switch (type) {
    case 0x01:
      reader.at += 8;
      return new Double(bytes.readDoubleLE(at));
    case 0x02:
      return readText(reader);
    case 0x03:
      return readDocument(reader);
    case 0x04:
      return readArray(reader);
    case 0x08:
      reader.at += 1;
      return bytes[at] === 1;
    case 0x0a:
      return null;
    case 0x10:
      reader.at += 4;
      return new Int32(bytes.readInt32LE(at));
    case 0x12:
      reader.at += 8;
      return bytes.readBigInt64LE(at);
    default:
      return readRareValue(reader, type);
  }
}

function readRareValue(reader: Reader, type: number): Value {
  switch (type) {
    case 0x05:
      return readBinary(reader);
    case 0x07:
      return new ObjectId(Buffer.from(take(reader, 12)));
    case 0x09:
      return readDate(reader);
    case 0x0b: {
      const pattern = readCString(reader);
      return new BSONRegExp(pattern, readCString(reader));
    }
    default:
      throw malformed(`type 0x${type.toString(16)} is not supported`);
  }
}

function readBinary(reader: Reader): Binary {
  const size = reader.bytes.readInt32LE(reader.at);
  const subtype = reader.bytes[reader.at + 4] ?? 0;
  if (subtype === 2) throw malformed('binary subtype 2 is not supported');
  reader.at += 5;
  return new Binary(Buffer.from(take(reader, size)), subtype);
}

function readDate(reader: Reader): Date {
  const epochMs = Number(reader.bytes.readBigInt64LE(reader.at));
  reader.at += 8;
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) throw malformed('a date is out of range');
  return date;
}
