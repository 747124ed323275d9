import type { IncomingMessage, ServerResponse } from 'node:http';
import { SIMULATED_HEADERS } from '../domain/script';
import {
  type VendorErrorDetails,
  type VendorStatus,
  vendorErrorBody,
} from '../domain/vendor-error';

/**
 * Reads a bounded body and calls back once with its text, but never when the client goes away before
 * its end. A longer one is read away, not kept, and answered with 413.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  done: (text: string) => void,
): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) chunks = [];
    else chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes > bytesMax) {
      answerError(response, 413);
      return;
    }
    const [only] = chunks;
    done((chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)).toString());
  });
  request.on('error', () => {});
}

/** Answers with JSON text. */
export function answerJson(response: ServerResponse, status: number, body: string): void {
  const headers = {
    ...SIMULATED_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  response.writeHead(status, headers).end(body);
}

/** Answers with an error as vendors shape it. */
export function answerError(
  response: ServerResponse,
  status: VendorStatus,
  details?: VendorErrorDetails,
): void {
  answerJson(response, status, vendorErrorBody(status, details));
}
