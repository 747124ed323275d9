import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock, Logger, Timer } from '@tollgate/core';
import { type ListenOptions, listenOn } from '@tollgate/lifecycle';
import { answerMalformedRequests } from './malformed-requests';
import { createRequestTurns, type RequestTurns } from './request-turns';

/** Bounds and address of the public HTTP server. */
export interface PublicServerOptions extends ListenOptions {
  readonly connectionsMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionIdleMs: number;
  /** How long a client may take no byte of its answer. */
  readonly stallMs: number;
  /** Requests that one connection may send ahead of their turn. */
  readonly pipelinedMax: number;
  readonly listener: RequestListener;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The public HTTP server. */
export interface PublicServer {
  listen(): Promise<void>;
  /** As a process on this machine may call it; empty before it listens. */
  baseUrl(): string;
  /** From now on each answer asks its client to open another connection, to somebody else. */
  leave(): void;
  /**
   * Takes no new connection and waits until those that are open have ended; rejects at the deadline.
   * A request that still comes is served: its client was not told in time to go elsewhere.
   */
  drain(deadlineMs: number): Promise<void>;
  /** Ends every open connection, in the middle of whatever it carries. */
  cut(): void;
  close(): Promise<void>;
}

const IDLE_SWEEP_MS = 50;
/**
 * How long a client may take to use a connection that is new, or one whose answer could not ask it to
 * leave, because its head was older: closing it at once could cut a request that is on its way.
 */
const NEXT_REQUEST_MS = 2000;
/**
 * Clients keep an idle connection for so long at most (undici 4 s, httpx 5 s) and close it
 * themselves then, so one that was left alone for longer is closed under nobody's request.
 */
const CLIENTS_KEEP_IDLE_MS = 6000;
/** Less than this between `leave` and `drain`: nobody is there to come late, so nobody is awaited. */
const AT_ONCE_MS = 500;
/** How often unfinished requests are compared with their bounds; Node's own half minute is late. */
const CONNECTIONS_CHECK_MS = 1000;

/** HTTP/1.1 in clear: TLS ends at the proxy or ingress in front. */
export function createPublicServer(options: PublicServerOptions): PublicServer {
  const { clock } = options;
  let baseUrl = '';
  let leaveMonotonicMs: number | undefined;
  const connections = new Map<Socket, Connection>();
  const begin: RequestListener = (request, response) => {
    // A connection that stays open would be cut in the middle of its next request.
    if (leaveMonotonicMs !== undefined) response.setHeader('Connection', 'close');
    options.listener(request, response);
  };
  const turns = createRequestTurns(begin, options.pipelinedMax, (socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.bytesTaken = socket.bytesRead;
    connection.keepUntilMs =
      leaveMonotonicMs === undefined ? 0 : clock.monotonicMs() + NEXT_REQUEST_MS;
  });
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      keepAliveTimeout: options.connectionIdleMs,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // The application refuses a missing Host itself, so that the refusal has our body.
      requireHostHeader: false,
    },
    turns.listener,
  );
  server.maxConnections = options.connectionsMax;
  server.on('connection', (socket) => {
    const keepUntilMs = clock.monotonicMs() + NEXT_REQUEST_MS;
    connections.set(socket, { bytesTaken: 0, keepUntilMs });
    socket.once('close', () => connections.delete(socket));
  });
  // The application looks at Expect itself, so that it can refuse before the body is sent.
  server.on('checkContinue', turns.listener);
  server.on('checkExpectation', turns.listener);
  answerMalformedRequests(server, turns);
  cutStalledReaders(server, turns, options.stallMs);
  return {
    async listen() {
      baseUrl = await listen(server, options);
    },
    baseUrl: () => baseUrl,
    leave() {
      leaveMonotonicMs ??= clock.monotonicMs();
    },
    drain(deadlineMs) {
      const monotonicNowMs = clock.monotonicMs();
      leaveMonotonicMs ??= monotonicNowMs;
      const keepIdleMs = monotonicNowMs - leaveMonotonicMs < AT_ONCE_MS ? 0 : CLIENTS_KEEP_IDLE_MS;
      // What is left of the time is for answers that are under way.
      const idleUntilMs = Math.min(leaveMonotonicMs + keepIdleMs, monotonicNowMs + deadlineMs / 2);
      return drain(server, { turns, connections, clock, idleUntilMs, deadlineMs });
    },
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What tells whether a connection is idle. */
interface Connection {
  /** How much had come when its last answer ended; what comes after it is the next request. */
  bytesTaken: number;
  /** Until then its next request may be on its way. */
  keepUntilMs: number;
}

interface Draining {
  readonly turns: RequestTurns;
  readonly connections: ReadonlyMap<Socket, Connection>;
  readonly clock: Clock;
  /** Until then a connection that nobody uses stays open. */
  readonly idleUntilMs: number;
  readonly deadlineMs: number;
}

function drain(
  server: Server,
  { turns, connections, clock, idleUntilMs, deadlineMs }: Draining,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A connection whose answer was under way turns idle later, and would stay open.
    let idle: Timer | undefined;
    let isOver = false;
    const stopClosing = () => {
      isOver = true;
      idle?.cancel();
    };
    const timer = clock.schedule(deadlineMs, () => {
      stopClosing();
      reject(new Error('open answers did not finish in time'));
    });
    // The HTTP server's own method also ends every idle connection, whoever is about to use it.
    NetServer.prototype.close.call(server, () => {
      timer.cancel();
      stopClosing();
      resolve();
    });
    const closeIdle = () => {
      if (isOver) return;
      const monotonicNowMs = clock.monotonicMs();
      for (const [socket, { bytesTaken, keepUntilMs }] of connections) {
        // Node takes one for idle as soon as its answer is complete, though not yet read.
        const isIdle = turns.answering(socket) === undefined && socket.bytesRead === bytesTaken;
        if (isIdle && monotonicNowMs >= Math.max(idleUntilMs, keepUntilMs)) socket.destroy();
      }
      idle = clock.schedule(IDLE_SWEEP_MS, closeWhenRead);
    };
    // A request that has arrived and was not read yet shows its connection as idle: read it first.
    const closeWhenRead = () => void setImmediate(() => setImmediate(closeIdle));
    closeWhenRead();
  });
}

async function listen(server: Server, options: PublicServerOptions): Promise<string> {
  try {
    return (await listenOn(server, options, options.logger)).url;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const remedy = 'set TOLLGATE_HTTP_PORT to another port, or to 0 for any free one';
    throw new Error(`HTTP port ${options.port} is taken: ${remedy}`, { cause: error });
  }
}

/**
 * Cuts whoever takes no byte of an answer, of whatever kind: it holds the bytes, and what makes
 * them. Node's timer runs anew with each byte that leaves, and serves connections between requests
 * as well, which end by it. One whose answer is still being made is left alone.
 */
function cutStalledReaders(server: Server, turns: RequestTurns, stallMs: number): void {
  server.setTimeout(stallMs, (socket) => {
    const isIdle = turns.answering(socket) === undefined && turns.knows(socket);
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}
