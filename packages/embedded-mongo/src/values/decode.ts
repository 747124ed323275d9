import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { CommandError } from '../errors';
import type { Document, Value } from './value';

/** MongoDB allows about as much; deeper input would exhaust the stack of recursive code. */
export const DOCUMENT_DEPTH_MAX = 100;

interface Cursor {
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
function enter(cursor: Cursor): number {
  const size = cursor.bytes.readInt32LE(cursor.at);
  const end = cursor.at + size - 1;
  if (size < 5 || end >= cursor.bytes.length || cursor.bytes[end] !== 0) {
    throw malformed('a document has a wrong length');
  }
  cursor.depth += 1;
  if (cursor.depth > DOCUMENT_DEPTH_MAX) {
    throw new CommandError('Overflow', `BSON is nested deeper than ${DOCUMENT_DEPTH_MAX}`);
  }
  cursor.at += 4;
  return end;
}

function leave(cursor: Cursor, end: number): void {
  if (cursor.at !== end) throw malformed('an element runs past its document');
  cursor.at = end + 1;
  cursor.depth -= 1;
}

function readDocument(cursor: Cursor): Document {
  const document: Document = new Map();
  const end = enter(cursor);
  while (cursor.at < end) {
    const type = cursor.bytes[cursor.at] ?? 0;
    cursor.at += 1;
    const name = readCString(cursor);
    document.set(name, readValue(cursor, type));
  }
  leave(cursor, end);
  return document;
}

function readArray(cursor: Cursor): Value[] {
  const values: Value[] = [];
  const end = enter(cursor);
  while (cursor.at < end) {
    const type = cursor.bytes[cursor.at] ?? 0;
    // The names of array elements are their positions by definition and carry nothing.
    cursor.at = endOfCString(cursor) + 1;
    values.push(readValue(cursor, type));
  }
  leave(cursor, end);
  return values;
}

function endOfCString(cursor: Cursor): number {
  const end = cursor.bytes.indexOf(0, cursor.at);
  if (end < 0) throw malformed('a name has no end');
  return end;
}

/*
 * Documents repeat a few field names over and over: the text of a name is remembered by a hash of
 * its bytes, which saves making it again. A slot is checked in full before it is believed.
 */
const NAME_SLOTS = 4_096;
const rememberedNames: string[] = new Array<string>(NAME_SLOTS).fill('');

function readCString(cursor: Cursor): string {
  const { bytes, at } = cursor;
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
  cursor.at = end + 1;
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

function readText(cursor: Cursor): string {
  const size = cursor.bytes.readInt32LE(cursor.at);
  const start = cursor.at + 4;
  const end = start + size - 1;
  if (size < 1 || end >= cursor.bytes.length || cursor.bytes[end] !== 0) {
    throw malformed('a string has a wrong length');
  }
  cursor.at = end + 1;
  return cursor.bytes.toString('utf8', start, end);
}

function take(cursor: Cursor, size: number): Buffer {
  const end = cursor.at + size;
  if (size < 0 || end > cursor.bytes.length) throw malformed('a value runs past the end');
  const part = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return part;
}

function readValue(cursor: Cursor, type: number): Value {
  const { bytes, at } = cursor;
  switch (type) {
    case 0x01:
      cursor.at += 8;
      return new Double(bytes.readDoubleLE(at));
    case 0x02:
      return readText(cursor);
    case 0x03:
      return readDocument(cursor);
    case 0x04:
      return readArray(cursor);
    case 0x08:
      cursor.at += 1;
      return bytes[at] === 1;
    case 0x0a:
      return null;
    case 0x10:
      cursor.at += 4;
      return new Int32(bytes.readInt32LE(at));
    case 0x12:
      cursor.at += 8;
      return bytes.readBigInt64LE(at);
    default:
      return readRareValue(cursor, type);
  }
}

function readRareValue(cursor: Cursor, type: number): Value {
  switch (type) {
    case 0x05:
      return readBinary(cursor);
    case 0x07:
      return new ObjectId(Buffer.from(take(cursor, 12)));
    case 0x09:
      return readDate(cursor);
    case 0x0b: {
      const pattern = readCString(cursor);
      return new BSONRegExp(pattern, readCString(cursor));
    }
    case 0x11: {
      const value = cursor.bytes.readBigUInt64LE(cursor.at);
      cursor.at += 8;
      return new Timestamp(value);
    }
    case 0x13:
      return new Decimal128(Buffer.from(take(cursor, 16)));
    case 0xff:
      return new MinKey();
    case 0x7f:
      return new MaxKey();
    default:
      throw malformed(`type 0x${type.toString(16)} is not supported`);
  }
}

function readBinary(cursor: Cursor): Binary {
  const size = cursor.bytes.readInt32LE(cursor.at);
  const subtype = cursor.bytes[cursor.at + 4] ?? 0;
  if (subtype === 2) throw malformed('binary subtype 2 is not supported');
  cursor.at += 5;
  return new Binary(Buffer.from(take(cursor, size)), subtype);
}

function readDate(cursor: Cursor): Date {
  const epochMs = Number(cursor.bytes.readBigInt64LE(cursor.at));
  cursor.at += 8;
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) throw malformed('a date is out of range');
  return date;
}
