import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, type Clock, type Timer } from '@tollgate/core';
import { toFailureBody } from './failure';

/** Bounds and address of the public HTTP server. */
export interface PublicServerOptions {
  readonly bind: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly connectionsMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionIdleMs: number;
  readonly listener: RequestListener;
  readonly clock: Clock;
}

/** The public HTTP server. */
export interface PublicServer {
  listen(): Promise<void>;
  /** `http://host:port` once it listens. */
  baseUrl(): string;
  /** Takes no new connection and waits for open answers; rejects at the deadline. */
  drain(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

const IDLE_SWEEP_MS = 50;
/** How often unfinished requests are compared with their bounds; Node's own half minute is late. */
const CONNECTIONS_CHECK_MS = 1000;

/** HTTP/1.1 in clear: TLS ends at the proxy or ingress in front. */
export function createPublicServer(options: PublicServerOptions): PublicServer {
  let draining = false;
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      keepAliveTimeout: options.connectionIdleMs,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    (request, response) => {
      // A connection that stays open would be cut in the middle of its next request.
      if (draining) response.setHeader('Connection', 'close');
      options.listener(request, response);
    },
  );
  server.maxConnections = options.connectionsMax;
  answerMalformedRequests(server);
  return {
    listen: () => listen(server, options),
    baseUrl() {
      const { port } = server.address() as AddressInfo;
      const host = options.bind.includes(':') ? `[${options.bind}]` : options.bind;
      return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
    },
    drain(deadlineMs) {
      draining = true;
      return new Promise((resolve, reject) => {
        // A connection whose answer was under way turns idle later, and would stay open.
        let idle: Timer | undefined;
        const timer = options.clock.schedule(deadlineMs, () => {
          idle?.cancel();
          reject(new Error('open answers did not finish in time'));
        });
        server.close(() => {
          timer.cancel();
          idle?.cancel();
          resolve();
        });
        const closeIdle = () => {
          server.closeIdleConnections();
          idle = options.clock.schedule(IDLE_SWEEP_MS, closeIdle);
        };
        closeIdle();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { bind, port }: PublicServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const remedy = 'set TOLLGATE_HTTP_PORT to another port, or to 0 for any free one';
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`HTTP port ${port} is taken: ${remedy}`, { cause: error })
          : error,
      );
    });
    server.listen(port, bind, () => resolve());
  });
}

/** What the parser refuses never becomes a request; it gets our body all the same. */
function answerMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const publicMessage = 'The request is not valid HTTP.';
    const body = toFailureBody(new AppError('VALIDATION_ERROR', { publicMessage }));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
