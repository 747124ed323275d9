import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '@tollgate/core';
import { toFailureResponse } from './failure';
import { createRequestIds, type RequestIds } from './request-id';

/** One request and its response, with the headers that every answer of it carries. */
export interface Exchange extends RequestIds {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sent with whatever answer follows; add, do not send. */
  readonly headers: Record<string, string>;
  /** Sends a finished body. Does nothing when an answer is already on its way. */
  send(status: number, contentType: string, body: Buffer | string): void;
  sendFailure(error: AppError): void;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Starts an exchange: ids are made, and paths under /v1 say so from the first header on. */
export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  isVersioned: boolean,
): Exchange {
  const ids = createRequestIds(request.headers);
  const headers: Record<string, string> = { 'X-Request-Id': ids.requestId };
  if (isVersioned) headers['X-API-Version'] = 'v1';
  if (ids.clientRequestId !== '') headers['X-Client-Request-Id'] = ids.clientRequestId;

  const write = (status: number, body: Buffer | string) => {
    headers['Content-Length'] = String(Buffer.byteLength(body));
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  return {
    ...ids,
    request,
    response,
    headers,
    send(status, contentType, body) {
      if (response.headersSent) return;
      headers['Content-Type'] = contentType;
      write(status, body);
    },
    sendFailure(error) {
      if (response.headersSent) {
        // The status is gone: only an abrupt end tells the client that something is missing.
        response.destroy();
        return;
      }
      const failure = toFailureResponse(error);
      Object.assign(headers, failure.headers);
      // An unread body would be taken for the next request on this connection.
      if (!request.complete) headers.Connection = 'close';
      write(failure.status, failure.body);
    },
  };
}
