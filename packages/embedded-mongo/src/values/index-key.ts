import { Binary, BSONRegExp, Double, Int32, ObjectId } from 'bson';
import {
  type ByteSink,
  copySince,
  createByteSink,
  ensureRoom,
  putByte,
  putBytes,
  putText,
} from './byte-sink';
import { TYPE_RANK, typeRank, type Value } from './value';

/** Stands for an empty array in an index: below null, as in MongoDB. */
export const EMPTY_ARRAY = Symbol('empty array');

/** One component of an index key; a missing field is null. */
export type KeyComponent = Value | undefined | typeof EMPTY_ARRAY;

const shared: ByteSink = createByteSink(1_024);

/** Bytes whose order (memcmp) is the order of the values, and which end by themselves. */
export function encodeKey(component: KeyComponent): Buffer {
  shared.length = 0;
  writeKey(shared, component);
  return copySince(shared, 0);
}

/** One key of a compound index; components of descending fields are complemented. */
export function encodeCompoundKey(
  components: readonly KeyComponent[],
  directions: readonly (1 | -1)[],
): Buffer {
  shared.length = 0;
  for (const [index, component] of components.entries()) {
    const start = shared.length;
    writeKey(shared, component);
    if (directions[index] === -1) complement(shared.buffer, start, shared.length);
  }
  return copySince(shared, 0);
}

function complement(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at += 1) bytes[at] = 0xff - (bytes[at] ?? 0);
}

/** The smallest bytes above every key that starts with `prefix`; undefined when there are none. */
export function afterPrefix(prefix: Buffer): Buffer | undefined {
  for (let end = prefix.length; end > 0; end -= 1) {
    const last = prefix[end - 1] ?? 0xff;
    if (last === 0xff) continue;
    const next = Buffer.from(prefix.subarray(0, end));
    next[end - 1] = last + 1;
    return next;
  }
  return undefined;
}

function writeKey(sink: ByteSink, component: KeyComponent): void {
  if (component === EMPTY_ARRAY) {
    putByte(sink, TYPE_RANK.undefined);
    return;
  }
  putByte(sink, typeRank(component));
  if (component === undefined || component === null) return;
  if (typeof component === 'string') writeText(sink, component);
  else if (typeof component === 'bigint') writeInteger(sink, component);
  else if (typeof component === 'boolean') putByte(sink, component ? 1 : 0);
  else if (component instanceof Int32) writeInteger(sink, BigInt(component.value));
  else if (component instanceof Double) writeDouble(sink, component.value);
  else writeObject(sink, component);
}

function writeObject(sink: ByteSink, value: Value): void {
  if (value instanceof ObjectId) putBytes(sink, value.id);
  else if (value instanceof Date) writeSigned(sink, BigInt(value.getTime()));
  else if (value instanceof Map) {
    for (const [name, member] of value) {
      putByte(sink, typeRank(member));
      writeText(sink, name);
      writeKey(sink, member);
    }
    putByte(sink, 0);
  } else if (Array.isArray(value)) {
    for (const member of value) writeKey(sink, member);
    putByte(sink, 0);
  } else if (value instanceof Binary) {
    ensureRoom(sink, 4);
    sink.length = sink.buffer.writeUInt32BE(value.length(), sink.length);
    putByte(sink, value.sub_type);
    putBytes(sink, value.value());
  } else if (value instanceof BSONRegExp) {
    writeText(sink, value.pattern);
    writeText(sink, value.options);
  }
}

/** Zero bytes inside a text are escaped, so that the terminator orders below every character. */
function writeText(sink: ByteSink, text: string): void {
  if (text.includes('\0')) {
    for (const [index, part] of text.split('\0').entries()) {
      if (index > 0) putBytes(sink, ESCAPED_ZERO);
      putText(sink, part);
    }
  } else {
    putText(sink, text);
  }
  putBytes(sink, TEXT_END);
}

const ESCAPED_ZERO = Buffer.from([0x00, 0xff]);
const TEXT_END = Buffer.from([0x00, 0x00]);

function writeSigned(sink: ByteSink, value: bigint): void {
  ensureRoom(sink, 8);
  sink.length = sink.buffer.writeBigUInt64BE(BigInt.asUintN(64, value + 2n ** 63n), sink.length);
}

/*
 * A number's key: NaN | below int64 | int64 range | above int64. Inside the int64 range the whole
 * part comes first and the rest, which a double holds exactly, after it, so that 1, 1L and 1.0
 * have one key and nothing is rounded.
 */
const NUMBER_NAN = 0x01;
const NUMBER_BELOW = 0x02;
const NUMBER_WITHIN = 0x03;
const NUMBER_ABOVE = 0x04;
const REST_NEGATIVE = 0x01;
const REST_NONE = 0x02;
const REST_POSITIVE = 0x03;

function writeInteger(sink: ByteSink, value: bigint): void {
  putByte(sink, NUMBER_WITHIN);
  writeSigned(sink, value);
  putByte(sink, REST_NONE);
}

function writeDouble(sink: ByteSink, value: number): void {
  if (Number.isNaN(value)) {
    putByte(sink, NUMBER_NAN);
  } else if (value < -(2 ** 63) || value >= 2 ** 63) {
    putByte(sink, value < 0 ? NUMBER_BELOW : NUMBER_ABOVE);
    writeOrderedDouble(sink, value);
  } else {
    const whole = Math.trunc(value);
    const rest = value - whole;
    putByte(sink, NUMBER_WITHIN);
    writeSigned(sink, BigInt(whole));
    if (rest === 0) {
      putByte(sink, REST_NONE);
    } else {
      putByte(sink, rest < 0 ? REST_NEGATIVE : REST_POSITIVE);
      writeOrderedDouble(sink, rest);
    }
  }
}

/** The bits of a double order like an integer once negatives are complemented. */
function writeOrderedDouble(sink: ByteSink, value: number): void {
  ensureRoom(sink, 8);
  const start = sink.length;
  sink.length = sink.buffer.writeDoubleBE(value, start);
  if (value < 0) complement(sink.buffer, start, sink.length);
  else sink.buffer[start] = (sink.buffer[start] ?? 0) | 0x80;
}
