import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type Logger, toAppError } from '@tollgate/core';
import type { RequestHandler } from 'express';
import { createHttpExchange, type HttpExchange, hasBody } from '../http/exchange';

const TIMEOUT_MS = 15_000;
const MOUNT = '/console';
/** More wait for one of these: the console sends small files and is quick about it. */
const CONNECTIONS_MAX = 64;

/** Loaded with the first request to the console: 20 modules that no completion waits for. */
const loadProxy = () => require('http-proxy-middleware') as typeof import('http-proxy-middleware');

/**
 * Hands `/console/**` to the console, which serves files and nothing else: bearers and cookies stay
 * here. When it does not answer, the client gets our failure body.
 */
export function createConsoleProxy(
  address: string,
  admit: (exchange: HttpExchange) => Promise<void>,
  logger: Logger,
): RequestHandler {
  let proxy: ReturnType<typeof createProxy> | undefined;
  return async (request, response, next) => {
    const exchange = createHttpExchange(request, response, false);
    try {
      await admit(exchange);
      requireRead(request, exchange);
    } catch (error) {
      exchange.sendFailure(toAppError(error));
      return;
    }
    proxy ??= createProxy(address, logger);
    await proxy(request, response, next);
  };
}

/** A body that is not sent would hold one of the few connections for as long as they wait. */
function requireRead(request: IncomingMessage, exchange: HttpExchange): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    exchange.headers.Allow = 'GET, HEAD';
    throw new AppError('METHOD_NOT_ALLOWED');
  }
  if (hasBody(request)) {
    throw new AppError('VALIDATION_ERROR', {
      publicMessage: 'A page is asked for without a body.',
    });
  }
}

function createProxy(address: string, logger: Logger) {
  return loadProxy().createProxyMiddleware({
    target: address,
    changeOrigin: true,
    agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX }),
    proxyTimeout: TIMEOUT_MS,
    // Express takes the mount off the path; the console is built to live under it.
    pathRewrite: (path) => `${MOUNT}${path}`,
    on: {
      proxyReq(outgoing) {
        outgoing.removeHeader('authorization');
        outgoing.removeHeader('cookie');
      },
      proxyRes(answered) {
        // How long the console keeps its connection says nothing of ours.
        delete answered.headers['keep-alive'];
      },
      error(error, request, response) {
        logger.warn({ error }, 'the console does not answer');
        if (!(response instanceof ServerResponse)) {
          response.destroy();
          return;
        }
        const failure = new AppError('SERVICE_UNAVAILABLE', {
          publicMessage: 'The console is not available. Please try again shortly.',
          cause: error,
        });
        createHttpExchange(request, response, false).sendFailure(failure);
      },
    },
  });
}
