import type { Socket } from 'node:net';
import type { Logger } from '@tollgate/core';
import type { EncodableDocument } from '../values/encode';
import type { Document } from '../values/value';
import { HEADER_BYTES, readRequest, writeReply } from './message';

/** Executes one command; `answer` is called exactly once, now or later. */
export type CommandExecutor = (
  command: Document,
  connectionId: number,
  answer: (reply: EncodableDocument) => void,
) => void;

export interface ConnectionOptions {
  readonly connectionId: number;
  readonly messageBytesMax: number;
  readonly execute: CommandExecutor;
  readonly logger: Logger;
}

/** Bytes that wait to be written before the connection stops reading. */
const UNSENT_BYTES_MAX = 16 * 1_024 * 1_024;

/** Cuts the byte stream into messages and writes the answers; ends with the socket. */
export function serveConnection(socket: Socket, options: ConnectionOptions): void {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let replyId = 0;

  const fail = (error: unknown) => {
    options.logger.warn(
      { error, connectionId: options.connectionId },
      'a connection to the embedded store was closed after a malformed message',
    );
    socket.destroy();
  };

  const handle = (bytes: Buffer) => {
    const request = readRequest(bytes);
    options.execute(request.command, options.connectionId, (reply) => {
      if (!request.wantsReply || socket.destroyed) return;
      replyId = (replyId + 1) % 0x7fffffff;
      socket.write(writeReply(request, reply, replyId));
      if (socket.writableLength > UNSENT_BYTES_MAX) socket.pause();
    });
  };

  /** Joins chunks only once a whole message is there, so that a large one is copied once. */
  const cutMessages = () => {
    while (buffered >= HEADER_BYTES) {
      if ((chunks[0]?.length ?? 0) < HEADER_BYTES) chunks = [Buffer.concat(chunks)];
      const size = chunks[0]?.readInt32LE(0) ?? 0;
      if (size < HEADER_BYTES || size > options.messageBytesMax) {
        throw new Error(`a message of ${size} bytes`);
      }
      if (buffered < size) return;
      const all = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
      chunks = all.length > size ? [all.subarray(size)] : [];
      buffered = all.length - size;
      handle(all.subarray(0, size));
    }
  };

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    buffered += chunk.length;
    try {
      cutMessages();
    } catch (error) {
      fail(error);
    }
  });
  socket.on('drain', () => socket.resume());
  // A reset is the client's way to leave; the close that follows says all.
  socket.on('error', () => socket.destroy());
}
