import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, equalText, type Logger } from '@tollgate/core';
import { type ListenOptions, listenOn } from '@tollgate/lifecycle';
import type { DefaultDirective } from '../domain/behaviour';
import { createDeliveryLog, type DeliveryEnd } from '../domain/delivery-log';
import { answerError, answerJson } from './bodies';
import { createChatCompletions } from './chat-completions';
import { answerDefaults, answerDeliveries } from './control';
import { createEmbeddings } from './embeddings';

/** How the server is made; the service's configuration fits. */
export interface SimulatorServerOptions extends ListenOptions {
  readonly credential?: string | undefined;
  readonly models: readonly string[];
  readonly tokens: number;
  readonly latencyMs: number;
  readonly firstTokenMs: number;
  readonly tokenIntervalMs: number;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
  readonly deliveriesMax: number;
}

export interface SimulatorServerDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called at the end of every answer. */
  readonly onOver?: (state: DeliveryEnd) => void;
}

/** The vendor stand-in. */
export interface SimulatorServer {
  /** Resolves with the base address without a path: `http://127.0.0.1:7180`. */
  listen(): Promise<{ readonly url: string }>;
  /** Takes no new connection; resolves when the running answers have ended. */
  drain(): Promise<void>;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that none is closed under a request. */
const KEEP_ALIVE_MS = 75_000;

export function createSimulatorServer(
  options: SimulatorServerOptions,
  deps: SimulatorServerDependencies,
): SimulatorServer {
  const sockets = new Set<Socket>();
  let draining = false;
  const onOver = (state: DeliveryEnd) => {
    deps.onOver?.(state);
    // While draining, a connection whose answer has ended would be kept for a next request.
    if (draining) setImmediate(() => server.closeIdleConnections());
  };
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    createRoutes(options, deps.clock, onOver),
  );
  server.maxConnections = options.connectionsMax;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const stopListening = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return {
    listen: () => listenOn(server, options, deps.logger),
    async drain() {
      draining = true;
      await stopListening();
    },
    async close() {
      const stopped = stopListening();
      for (const socket of sockets) socket.destroy();
      await stopped;
    },
  };
}

type Route = (request: IncomingMessage, response: ServerResponse) => void;

function createRoutes(
  options: SimulatorServerOptions,
  clock: Clock,
  onOver: (state: DeliveryEnd) => void,
): Route {
  const deliveries = createDeliveryLog(options.deliveriesMax);
  const { tokens, latencyMs, firstTokenMs, tokenIntervalMs } = options;
  const configured: DefaultDirective = { tokens, latencyMs, firstTokenMs, tokenIntervalMs };
  const defaults = { current: configured };
  const { bodyBytesMax } = options;
  const complete = createChatCompletions({
    clock,
    deliveries,
    defaults,
    bodyBytesMax,
    onOver,
  });
  const embed = createEmbeddings(bodyBytesMax);
  const control = { deliveries, defaults, configured };
  const models = createModelRoutes(options.models, Math.floor(clock.now() / 1_000));
  const mayEnter = createBearerCheck(options.credential);
  return (request, response) => {
    const url = request.url ?? '/';
    if (!mayEnter(request.headers.authorization)) {
      answerError(response, 401);
    } else if (url === '/v1/chat/completions') {
      if (request.method === 'POST') complete(request, response);
      else answerError(response, 405);
    } else if (url === '/v1/embeddings') {
      if (request.method === 'POST') embed(request, response);
      else answerError(response, 405);
    } else if (url.startsWith('/v1/models')) {
      models(request, response);
    } else if (url.startsWith('/control/deliveries')) {
      answerDeliveries(control, request, response);
    } else if (url.startsWith('/control/defaults')) {
      answerDefaults(control, request, response);
    } else {
      answerError(response, 404, { message: `There is no ${url.slice(0, 200)} here.` });
    }
  };
}

function createModelRoutes(names: readonly string[], createdSeconds: number): Route {
  const models = names.map((id) => ({
    id,
    object: 'model',
    created: createdSeconds,
    owned_by: 'simulator',
  }));
  const list = JSON.stringify({ object: 'list', data: models });
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (request.method !== 'GET') {
      answerError(response, 405);
    } else if (path === '/v1/models') {
      answerJson(response, 200, list);
    } else {
      const found = models.find(({ id }) => path === `/v1/models/${encodeURIComponent(id)}`);
      if (found === undefined) answerError(response, 404, { message: 'There is no such model.' });
      else answerJson(response, 200, JSON.stringify(found));
    }
  };
}

/** Everyone may enter when no credential is configured. */
function createBearerCheck(
  credential: string | undefined,
): (authorization: string | undefined) => boolean {
  if (credential === undefined) return () => true;
  return (authorization = '') => equalText(authorization, `Bearer ${credential}`);
}
