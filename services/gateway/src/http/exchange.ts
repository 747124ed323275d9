import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, createId, type RequestId } from '@tollgate/core';
import { toFailureBody, toFailureResponse } from './errors';

/** The ids that belong to one request. */
interface RequestIds {
  /** Always ours. */
  readonly requestId: RequestId;
  /** The client's own, when it is well formed; empty otherwise. */
  readonly clientRequestId: string;
  /** W3C trace context for the next hop: the client's, or that of our span; empty without both. */
  traceparent: string;
}

/** Who asks, as far as the log needs it. */
export interface LoggedPrincipal {
  readonly accountId: string;
  /** Empty for a signed-in user. */
  readonly keyId: string;
}

/** One request and its response, with the headers that every answer of it carries. */
export interface HttpExchange extends RequestIds {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined before it is known, and on public paths. */
  principal: LoggedPrincipal | undefined;
  /** The model that a completion asks for; undefined before its body is read, or when that has none. */
  requestedModel: string | undefined;
  /** Fields of the body that were ignored, in words, for the log. */
  ignored: string | undefined;
  /** The failure, for the log and the trace; the first one counts. */
  failure: AppError | undefined;
  /** Sent with the answer, whichever it is. */
  readonly headers: Record<string, string>;
  /** Writes the body of a failure in the format of this path. */
  failureBody: (error: AppError) => string;
  /** Runs when the last byte has left or the client has gone; never for a response that has closed. */
  onClose(listener: () => void): void;
  /** Sends a finished body. Does nothing when an answer is already on its way. */
  send(status: number, contentType: string, body: Buffer | string): void;
  sendFailure(error: AppError): void;
}

/**
 * Headers of every answer that does not set its own: browsers guess no type, and no cache keeps an
 * answer, because most are one account's alone and some hold secrets.
 */
export const STANDING_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Makes the ids, and the headers that every answer of the exchange carries. */
export function createHttpExchange(
  request: IncomingMessage,
  response: ServerResponse,
  isVersioned: boolean,
): HttpExchange {
  const ids = createRequestIds(request.headers);
  const headers: Record<string, string> = { 'X-Request-Id': ids.requestId, ...STANDING_HEADERS };
  if (isVersioned) headers['X-API-Version'] = 'v1';
  if (ids.clientRequestId !== '') headers['X-Client-Request-Id'] = ids.clientRequestId;

  // One listener of the response for all that wait for its end: each of its own costs more than this.
  const closing: (() => void)[] = [];
  response.on('close', () => {
    for (const listener of closing) listener();
  });
  const begin = (status: number, body: Buffer | string) => {
    headers['Content-Length'] = String(Buffer.byteLength(body));
    response.writeHead(status, toRawHeaders(headers));
  };
  const write = (status: number, body: Buffer | string) => {
    begin(status, body);
    if (request.method === 'HEAD') response.end();
    else endWith(response, body);
  };
  const exchange: HttpExchange = {
    ...ids,
    request,
    response,
    headers,
    principal: undefined,
    requestedModel: undefined,
    ignored: undefined,
    failure: undefined,
    failureBody: toFailureBody,
    onClose: (listener) => void closing.push(listener),
    send(status, contentType, body) {
      if (response.headersSent) return;
      headers['Content-Type'] = contentType;
      write(status, body);
    },
    sendFailure(error) {
      exchange.failure ??= error;
      if (response.headersSent) {
        // The status is gone: only an abrupt end tells the client that something is missing.
        response.destroy();
        return;
      }
      const failure = toFailureResponse(error, exchange.failureBody);
      Object.assign(headers, failure.headers);
      if (request.complete || !hasBody(request)) {
        write(failure.status, failure.body);
        return;
      }
      // An unread body would be taken for the next request on this connection.
      headers.Connection = 'close';
      begin(failure.status, failure.body);
      response.write(failure.body);
      endAfterBody(request, response);
    },
  };
  return exchange;
}

/** Letters, digits and the usual separators; anything else could forge a log line. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Makes our id and keeps the client's beside it. */
function createRequestIds(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): RequestIds {
  const client = headers['x-request-id'];
  const trace = headers.traceparent;
  return {
    requestId: createId('request'),
    clientRequestId: typeof client === 'string' && CLIENT_REQUEST_ID.test(client) ? client : '',
    traceparent: typeof trace === 'string' && TRACEPARENT.test(trace) ? trace : '',
  };
}

/** Names and values in turn: what Node takes without looking each one up. */
export function toRawHeaders(headers: Readonly<Record<string, string>>): string[] {
  const raw: string[] = [];
  for (const name in headers) raw.push(name, headers[name] ?? '');
  return raw;
}

/** Beyond this a copy costs more than what it saves. */
const TEXT_BYTES_MAX = 16_384;

/** Node sends text in one packet with the head, and bytes in a second one. */
function endWith(response: ServerResponse, body: Buffer | string): void {
  // Every byte is one character of latin1, so the same bytes arrive.
  const asText = typeof body !== 'string' && body.length <= TEXT_BYTES_MAX;
  if (asText) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
const UNREAD_IDLE_MS = 1000;

/**
 * Ends an answer once its request was sent, or its sender pauses or goes on too long: a connection
 * that is closed on somebody who is still sending takes the answer with it.
 */
function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  let dropped = 0;
  const end = () => response.end();
  request.on('data', (bytes: Buffer) => {
    dropped += bytes.length;
    if (dropped > UNREAD_BYTES_MAX) end();
  });
  request.once('end', end);
  request.once('close', end);
  request.setTimeout(UNREAD_IDLE_MS, end);
  request.resume();
}

/** True when the request declares a body at all. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length ?? '0') !== '0';
}
