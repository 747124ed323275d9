import { CommandError } from '../errors';
import {
  copySince,
  createKeptSink,
  ensureRoom,
  putByte,
  putInt32,
  shrink,
} from '../values/byte-sink';
import { decodeDocument } from '../values/decode';
import { type EncodableDocument, writeDocument } from '../values/encode';
import type { Document, Value } from '../values/value';

/** Bytes before the body of every message: length, request id, response-to, operation. */
export const HEADER_BYTES = 16;

const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;

const FLAG_CHECKSUM_PRESENT = 1;
const FLAG_MORE_TO_COME = 2;
/** The lower half of the flags are required to be understood. */
const REQUIRED_FLAGS = 0xffff;

/** A command as it arrived. */
export interface Request {
  readonly requestId: number;
  /** OP_QUERY is answered by OP_REPLY, OP_MSG by OP_MSG. */
  readonly form: 'query' | 'message';
  /** False when the client waits for no answer (write concern 0). */
  readonly wantsReply: boolean;
  readonly command: Document;
}

/** Takes one whole message apart; malformed ones throw and end the connection. */
export function readRequest(bytes: Buffer): Request {
  const requestId = bytes.readInt32LE(4);
  const operation = bytes.readInt32LE(12);
  if (operation === OP_MSG) return readMessage(bytes, requestId);
  if (operation === OP_QUERY) return readQuery(bytes, requestId);
  throw new CommandError('BadValue', `wire operation ${operation} is not supported`);
}

function readMessage(bytes: Buffer, requestId: number): Request {
  const flags = bytes.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS & ~(FLAG_CHECKSUM_PRESENT | FLAG_MORE_TO_COME)) !== 0) {
    throw new CommandError('BadValue', `message flags ${flags} are not supported`);
  }
  const end = bytes.length - ((flags & FLAG_CHECKSUM_PRESENT) === 0 ? 0 : 4);
  let command: Document | undefined;
  const sequences: [string, Value[]][] = [];
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = bytes.readUInt8(at);
    const size = bytes.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > end) {
      throw new CommandError('BadValue', 'a message section has a wrong length');
    }
    const section = bytes.subarray(at + 1, at + 1 + size);
    if (kind === 0 && command === undefined) command = decodeDocument(section);
    else if (kind === 1) sequences.push(readSequence(section));
    else throw new CommandError('BadValue', `message section ${kind} is not supported`);
    at += 1 + size;
  }
  if (command === undefined) throw new CommandError('BadValue', 'a message has no body');
  for (const [name, documents] of sequences) command.set(name, documents);
  const wantsReply = (flags & FLAG_MORE_TO_COME) === 0;
  return { requestId, form: 'message', wantsReply, command };
}

/** A document sequence: a name and documents without further framing. */
function readSequence(section: Buffer): [string, Value[]] {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new CommandError('BadValue', 'a document sequence has no name');
  const documents: Value[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    documents.push(decodeDocument(section, at));
    at += section.readInt32LE(at);
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

/** The old query form, which drivers still use for their first greeting. */
function readQuery(bytes: Buffer, requestId: number): Request {
  const nameStart = HEADER_BYTES + 4;
  const nameEnd = bytes.indexOf(0, nameStart);
  const name = bytes.toString('utf8', nameStart, nameEnd);
  if (nameEnd < 0 || !name.endsWith('.$cmd')) {
    throw new CommandError('BadValue', 'OP_QUERY is supported for commands only');
  }
  const command = decodeDocument(bytes, nameEnd + 1 + 8);
  command.set('$db', name.slice(0, -'.$cmd'.length));
  return { requestId, form: 'query', wantsReply: true, command };
}

const sink = createKeptSink();

/** The bytes of an answer to `request`. */
export function writeReply(request: Request, reply: EncodableDocument, replyId: number): Buffer {
  shrink(sink);
  sink.length = 0;
  putInt32(sink, 0);
  putInt32(sink, replyId);
  putInt32(sink, request.requestId);
  if (request.form === 'message') {
    putInt32(sink, OP_MSG);
    putInt32(sink, 0);
    putByte(sink, 0);
  } else {
    putInt32(sink, OP_REPLY);
    // Flags (8: await capable), cursor id (8 bytes), starting from, number of documents.
    putInt32(sink, 8);
    ensureRoom(sink, 8);
    sink.length = sink.buffer.writeBigInt64LE(0n, sink.length);
    putInt32(sink, 0);
    putInt32(sink, 1);
  }
  writeDocument(sink, reply);
  sink.buffer.writeInt32LE(sink.length, 0);
  return copySince(sink, 0);
}
