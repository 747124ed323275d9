import { Binary, type BSONRegExp, Double, Int32, ObjectId } from 'bson';
import {
  type ByteSink,
  copySince,
  createKeptSink,
  ensureRoom,
  putByte,
  putBytes,
  putInt32,
  putText,
  shrink,
} from './byte-sink';
import type { Document, Value } from './value';

/**
 * Values that can be written, and documents that are already BSON, so that a stored document is
 * answered without being taken apart.
 */
export type Encodable = Value | Buffer | ReadonlyMap<string, Encodable> | readonly Encodable[];

/** The members of an answer. */
export type EncodableDocument = ReadonlyMap<string, Encodable>;

const shared: ByteSink = createKeptSink();

/** The BSON bytes of a document. */
export function encodeDocument(document: Document | EncodableDocument): Buffer {
  shared.length = 0;
  writeDocument(shared, document);
  const bytes = copySince(shared, 0);
  shrink(shared);
  return bytes;
}

/** Appends a document to bytes that already hold a message header. */
export function writeDocument(sink: ByteSink, document: EncodableDocument): void {
  const start = open(sink);
  for (const [name, value] of document) writeElement(sink, name, value);
  close(sink, start);
}

function open(sink: ByteSink): number {
  const start = sink.length;
  ensureRoom(sink, 4);
  sink.length += 4;
  return start;
}

function close(sink: ByteSink, start: number): void {
  putByte(sink, 0);
  sink.buffer.writeInt32LE(sink.length - start, start);
}

function head(sink: ByteSink, type: number, name: string): void {
  putByte(sink, type);
  putText(sink, name);
  putByte(sink, 0);
}

function writeElement(sink: ByteSink, name: string, value: Encodable): void {
  switch (typeof value) {
    case 'string':
      head(sink, 0x02, name);
      writeText(sink, value);
      return;
    case 'bigint':
      head(sink, 0x12, name);
      ensureRoom(sink, 8);
      sink.length = sink.buffer.writeBigInt64LE(value, sink.length);
      return;
    case 'boolean':
      head(sink, 0x08, name);
      putByte(sink, value ? 1 : 0);
      return;
    default:
      if (value === null) head(sink, 0x0a, name);
      else writeObject(sink, name, value);
  }
}

function writeText(sink: ByteSink, text: string): void {
  const lengthAt = sink.length;
  ensureRoom(sink, 4);
  sink.length += 4;
  const size = putText(sink, text);
  putByte(sink, 0);
  sink.buffer.writeInt32LE(size + 1, lengthAt);
}

function writeObject(sink: ByteSink, name: string, value: Exclude<Encodable, null>): void {
  if (value instanceof Map) {
    head(sink, 0x03, name);
    writeDocument(sink, value);
  } else if (value instanceof Int32) {
    head(sink, 0x10, name);
    putInt32(sink, value.value);
  } else if (Array.isArray(value)) {
    head(sink, 0x04, name);
    writeArray(sink, value);
  } else if (Buffer.isBuffer(value)) {
    head(sink, 0x03, name);
    putBytes(sink, value);
  } else if (value instanceof Date) {
    head(sink, 0x09, name);
    ensureRoom(sink, 8);
    sink.length = sink.buffer.writeBigInt64LE(BigInt(value.getTime()), sink.length);
  } else if (value instanceof Double) {
    head(sink, 0x01, name);
    ensureRoom(sink, 8);
    sink.length = sink.buffer.writeDoubleLE(value.value, sink.length);
  } else if (value instanceof ObjectId) {
    head(sink, 0x07, name);
    putBytes(sink, value.id);
  } else {
    writeRare(sink, name, value as Binary | BSONRegExp);
  }
}

function writeArray(sink: ByteSink, values: readonly Encodable[]): void {
  const start = open(sink);
  for (const [position, value] of values.entries()) writeElement(sink, String(position), value);
  close(sink, start);
}

function writeRare(sink: ByteSink, name: string, value: Binary | BSONRegExp): void {
  if (value instanceof Binary) {
    const bytes = value.value();
    head(sink, 0x05, name);
    putInt32(sink, bytes.length);
    putByte(sink, value.sub_type);
    putBytes(sink, bytes);
  } else {
    head(sink, 0x0b, name);
    putText(sink, value.pattern);
    putByte(sink, 0);
    putText(sink, value.options);
    putByte(sink, 0);
  }
}
