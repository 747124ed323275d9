import type { RequestListener } from 'node:http';
import { AppError, type Logger } from '@tollgate/core';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { applyCors } from '../http/cors';
import { findHeadFault } from '../http/malformed-requests';
import { createPathHint } from './serving/path-hints';
import {
  beginExchange,
  createRouteHandler,
  noteUnrouted,
  type RouteHandler,
  type RouteOptions,
} from './serving/serve-route';
import type { HttpMethod, Route } from './table';

export interface ApplicationOptions extends RouteOptions {
  readonly routes: readonly Route[];
  /** Paths of clients that we do not serve, and what to say instead. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Pages beside the API: probes, documents, console. Mounted before the 404. */
  readonly pages: readonly PathBeside[];
  readonly logger: Logger;
}

/** A path that is no row of the table. */
export interface PathBeside {
  readonly path: string;
  /** The path and everything below it. */
  readonly below: boolean;
  /** Answers every method, also those that the path does not have. */
  readonly handler: RequestHandler;
}

/** One path of the table: its methods, and where it leads. */
interface PathEntry {
  readonly rows: readonly Route[];
  readonly legacyOf: string | undefined;
}

/**
 * The application. A POST that names a completion path exactly is served at once; all else, these
 * paths with a query too, goes through express to the same handlers. The tests hold both ways to
 * one table.
 */
export function createApplication(options: ApplicationOptions): RequestListener {
  const app = createExpressApplication(options);
  const direct = new Map<string | undefined, RouteHandler>();
  for (const row of options.routes) {
    if (row.target.kind === 'chat') direct.set(row.path, createRouteHandler(options, row));
  }
  return (request, response) => {
    const refusal = findHeadFault(request);
    if (refusal !== undefined) {
      // Where the body ends is in doubt: nothing behind it is read.
      if (request.headers['transfer-encoding'] !== undefined) response.shouldKeepAlive = false;
      beginExchange(options, request, response).sendFailure(refusal);
      return;
    }
    const handler = request.method === 'POST' ? direct.get(request.url) : undefined;
    if (handler !== undefined) handler(request, response);
    else app(request, response);
  };
}

/** Nothing runs before a route: bodies are read by the routes themselves. */
function createExpressApplication(options: ApplicationOptions): Express {
  const hint = createPathHint(options.routes);
  const completions = new Set(
    options.routes.filter(({ target }) => target.kind === 'chat').map(({ path }) => path),
  );
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, entry] of collectPaths(options.routes)) mount(app, path, entry, options);
  for (const [path, message] of Object.entries(options.unsupported)) {
    app.all(path, (request, response) => {
      const exchange = beginExchange(options, request, response);
      const failure = new AppError('NOT_FOUND', { publicMessage: message });
      if (request.method === 'POST') noteUnrouted(options.serving, exchange, failure);
      exchange.sendFailure(failure);
    });
  }
  for (const { path, below, handler } of options.pages) {
    if (below) app.use(path, handler);
    else app.all(path, handler);
  }
  app.use((request, response) => {
    const { meant = '', message } = hint(request.originalUrl);
    const exchange = beginExchange(options, request, response);
    const failure = new AppError('NOT_FOUND', { publicMessage: message });
    const isMeant = request.method === 'POST' && completions.has(meant);
    if (isMeant) noteUnrouted(options.serving, exchange, failure);
    exchange.sendFailure(failure);
  });
  app.use(((error: unknown, request: Request, response: Response, _next: unknown) => {
    // A path that does not decode names nothing; anything else here is a fault of ours.
    const failure =
      error instanceof URIError
        ? new AppError('NOT_FOUND', { publicMessage: 'This path does not exist.' })
        : new AppError('INTERNAL_ERROR', { cause: error });
    if (failure.code === 'INTERNAL_ERROR') options.logger.error({ error }, 'a page failed');
    beginExchange(options, request, response).sendFailure(failure);
  }) as express.ErrorRequestHandler);
  return app;
}

/** Rows by path, v1 paths first, each legacy path beside its successor. */
function collectPaths(routes: readonly Route[]): ReadonlyMap<string, PathEntry> {
  const paths = new Map<string, { rows: Route[]; legacyOf: string | undefined }>();
  const add = (path: string, row: Route, legacyOf: string | undefined) => {
    const entry = paths.get(path) ?? { rows: [], legacyOf };
    entry.rows.push(row);
    paths.set(path, entry);
  };
  for (const row of routes) add(row.path, row, undefined);
  for (const row of routes) {
    if (row.legacy !== undefined) add(row.legacy, row, row.path);
  }
  return paths;
}

function mount(app: Express, path: string, entry: PathEntry, options: ApplicationOptions): void {
  const route = app.route(path.replace(/\{(\w+)\}/g, ':$1'));
  for (const row of entry.rows) {
    const handler = createRouteHandler(options, row, entry.legacyOf);
    switch (row.method) {
      case 'GET':
        route.get(handler);
        break;
      case 'POST':
        route.post(handler);
        break;
      case 'PUT':
        route.put(handler);
        break;
      case 'PATCH':
        route.patch(handler);
        break;
      case 'DELETE':
        route.delete(handler);
        break;
    }
  }
  const allow = allowOf(entry.rows.map((row) => row.method));
  const isCompletion = entry.rows.some(({ target }) => target.kind === 'chat');
  route.all((request, response) => {
    const exchange = beginExchange(options, request, response, path);
    if (applyCors(options.cors, exchange, allow)) return;
    const { legacyOf } = entry;
    if (legacyOf !== undefined && options.legacy.apply(exchange, legacyOf)) return;
    exchange.headers.Allow = allow;
    const { method } = request;
    const publicMessage = `This path does not support ${method}: it supports ${allow}.`;
    const failure = new AppError('METHOD_NOT_ALLOWED', { publicMessage });
    // A redirect makes a GET of a POST. Browsers ask with OPTIONS what they may do.
    if (isCompletion && method !== 'OPTIONS') noteUnrouted(options.serving, exchange, failure);
    exchange.sendFailure(failure);
  });
}

function allowOf(methods: readonly HttpMethod[]): string {
  const all: string[] = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method));
  return [...new Set(all)].join(', ');
}
