import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';

/** True for `application/json`, with parameters such as a charset of UTF-8, and `+json` types. */
export function isJsonContentType(value: string | undefined): boolean {
  if (value === undefined) return false;
  if (value === 'application/json') return true;
  const [type = '', ...parameters] = value.toLowerCase().split(';');
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = '', text = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(text.trim());
  });
}

/** True when the request announces a body at all. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length ?? '0') !== '0';
}

/**
 * Checks the media type and the announced size before a byte is read: 415 for what is no plain
 * JSON (compressed bodies too), 413 for what is announced too large.
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
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
}

/**
 * Reads the whole body, up to `bytesMax` bytes. Rejects with PAYLOAD_TOO_LARGE as soon as the bound
 * is passed, and with VALIDATION_ERROR when the client goes away in the middle.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    // The listeners stay until the request goes: to remove them costs more than to hear too much.
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      // What is left is read and dropped, so that the client gets to see the answer.
      const isFirstBeyond = size - chunk.length <= bytesMax;
      if (!isFirstBeyond) return;
      chunks = [];
      reject(tooLarge(bytesMax));
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on('error', () => {
      reject(
        new AppError('VALIDATION_ERROR', { publicMessage: 'The request body is incomplete.' }),
      );
    });
  });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    publicMessage: `The request body is larger than ${bytesMax} bytes.`,
  });
}
