import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from '@tollgate/core';
import type { Metrics } from '@tollgate/observability';
import { type ListenOptions, listenOn } from './listen';
import type { ReadinessReport } from './module-table';

export interface AdminServerOptions extends ListenOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly readiness: () => ReadinessReport;
}

/** `/livez`, `/readyz` with details and `/metrics`, on a port that is not public. */
export interface AdminServer {
  /** Rejects when the port is taken. */
  start(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 256;

export function createAdminServer(options: AdminServerOptions): AdminServer {
  const { logger } = options;
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      logger.error({ error }, 'an admin request failed');
      if (!response.headersSent) send(response, 500, 'text/plain', 'failed\n');
      else response.destroy();
    });
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = CONNECTIONS_MAX;
  return {
    start: () => listenOn(server, options, logger),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { metrics, readiness }: AdminServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (request.url ?? '/').split('?');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    send(response, 405, 'text/plain', 'method not allowed\n');
  } else if (path === '/livez') {
    send(response, 200, 'text/plain', 'alive\n');
  } else if (path === '/readyz') {
    const report = readiness();
    send(response, report.ready ? 200 : 503, 'application/json', `${JSON.stringify(report)}\n`);
  } else if (path === '/metrics') {
    send(response, 200, metrics.contentType, await metrics.expose());
  } else {
    send(response, 404, 'text/plain', 'try /livez, /readyz or /metrics\n');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
