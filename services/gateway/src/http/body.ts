import type { IncomingMessage } from 'node:http';
import { AppError, type FairShare } from '@tollgate/core';
import type { HttpExchange } from './exchange';

/** True for `application/json`, with parameters such as a charset of UTF-8, and `+json` types. */
function isJsonContentType(value: string | undefined): boolean {
  if (value === undefined) return false;
  if (value === 'application/json') return true;
  const [type = '', ...parameters] = value.toLowerCase().split(';');
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = '', text = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(text.trim());
  });
}

/**
 * Checks the media type and the declared size before a byte is read: 415 for what is no plain
 * JSON (compressed bodies too), 413 for what is declared too large.
 */
export function requireJsonBody(request: IncomingMessage, bytesMax: number): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      publicMessage: 'Compressed request bodies are not supported.',
    });
  }
  if (!isJsonContentType(request.headers['content-type'])) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  }
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > bytesMax) throw tooLarge(bytesMax);
}

const BUSY_RETRY_MS = 2000;

/**
 * Reads the whole body, up to `bytesMax` bytes, and lets a client go on that waits to be told so.
 * Rejects with PAYLOAD_TOO_LARGE as soon as that is passed, with SERVICE_UNAVAILABLE when its owner has
 * no more room, and with VALIDATION_ERROR when the client goes away in the middle.
 *
 * Room is taken for what has arrived, not for what was declared: declaring costs a client nothing. It
 * is given back when the answer has ended, because a prompt is kept until then.
 */
export function readBody(
  { request, response, onClose }: BodySource,
  bytesMax: number,
  room: BodyRoom,
): Promise<Buffer> {
  // 'close' was already emitted: a listener added now would never fire.
  if (request.destroyed || response.destroyed) return Promise.reject(incomplete());
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    let arrived = false;
    const letGo = () => {
      room.release(size);
      size = 0;
    };
    const refuse = (error: AppError) => {
      refused = true;
      chunks = [];
      letGo();
      reject(error);
    };
    onClose(() => {
      letGo();
      // An error that nobody hears of would cost more than all the reading.
      if (!arrived) reject(incomplete());
    });
    // The listeners stay as long as the request: removing them would cost more than they do.
    request.on('data', (chunk: Buffer) => {
      // The rest is read and dropped, so that the client gets to see the answer.
      if (refused) return;
      if (size + chunk.length > bytesMax) refuse(tooLarge(bytesMax));
      else if (!room.take(chunk.length)) refuse(busy());
      else {
        size += chunk.length;
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      arrived = true;
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      // The listeners stay, and would hold the body twice.
      chunks = [];
    });
    request.on('error', () => reject(incomplete()));
  });
}

/** The bytes that the bodies of one account may hold, or of one network of clients without one. */
interface BodyRoom {
  /** False, and nothing is counted, when there is no room for them. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/** The room of one owner in what the bodies of all requests may hold. */
export function roomOf(bodies: FairShare, owner: string): BodyRoom {
  return {
    take: (bytes) => bodies.take(owner, bytes),
    release: (bytes) => bodies.release(owner, bytes),
  };
}

type BodySource = Pick<HttpExchange, 'request' | 'response' | 'onClose'>;

function incomplete(): AppError {
  return new AppError('VALIDATION_ERROR', { publicMessage: 'The request body is incomplete.' });
}

function busy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'Too many large requests are arriving at once. Please try again shortly.',
    internalMessage: 'there is no room for more request bodies',
    retryAfterMs: BUSY_RETRY_MS,
  });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    publicMessage: `The request body is larger than ${bytesMax} bytes.`,
  });
}
