import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, createId } from '@tollgate/core';
import { invalidField, toFailureResponse } from './errors';
import { STANDING_HEADERS } from './exchange';
import type { RequestTurns } from './request-turns';

/** Bytes that the parser refuses never become a request; they are answered by our body as well. */
export function answerMalformedRequests(server: Server, turns: RequestTurns): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // A parser that failed reports the bytes after the fault as faults, too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refusal = toRefusal(error.code);
    const answering = turns.answering(socket);
    if (answering !== undefined && !answering.req.complete) {
      // The fault is in the very request that is being answered: nobody else can be told.
      if (answering.headersSent) socket.destroy();
      else answerRefusal(socket, refusal);
      return;
    }
    turns.afterAnswers(socket, () => answerRefusal(socket, refusal));
  });
}

function toRefusal(code: string | undefined): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('PAYLOAD_TOO_LARGE');
    default:
      return new AppError('VALIDATION_ERROR', { publicMessage: 'The request is not valid HTTP.' });
  }
}

/** Writes a whole answer by hand and closes the connection. */
function answerRefusal(socket: Duplex, error: AppError): void {
  const { status, headers, body } = toFailureResponse(error);
  const lines = Object.entries({
    'X-Request-Id': createId('request'),
    // The path is not known; everything that is served is v1.
    'X-API-Version': 'v1',
    ...STANDING_HEADERS,
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** The refusal of headers that are wrong on every path; undefined for good ones. */
export function findHeadFault(request: IncomingMessage): AppError | undefined {
  const { authorizations, hosts } = countSingles(request.rawHeaders);
  if (authorizations > 1) return invalidField('Authorization', 'is given twice.');
  if (hosts > 1) return invalidField('Host', 'is given twice.');
  if (hosts === 0 && request.httpVersion !== '1.0') return invalidField('Host', 'is required.');
  const { expect } = request.headers;
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined) {
    return invalidField('Transfer-Encoding', 'is no part of HTTP/1.0.');
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return invalidField('Expect', 'nothing else than 100-continue is supported.');
}

/** Node keeps the first of two and says nothing; a proxy may have believed the second. */
function countSingles(rawHeaders: readonly string[]) {
  let [authorizations, hosts] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === HOST_LENGTH && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === AUTHORIZATION_LENGTH && name.toLowerCase() === 'authorization') {
      authorizations += 1;
    }
  }
  return { authorizations, hosts };
}

const HOST_LENGTH = 4;
const AUTHORIZATION_LENGTH = 13;
