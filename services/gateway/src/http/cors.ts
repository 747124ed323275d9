import type { HttpExchange } from './exchange';

/** Browser origins that may call; empty by default. */
export interface CorsPolicy {
  readonly origins: ReadonlySet<string>;
}

const MAX_AGE_S = '600';
/**
 * Client libraries send a dozen headers of their own, and more with each version. `*` is every name
 * but `Authorization`, for calls without credentials; with them none is allowed here.
 */
const REQUEST_HEADERS = 'Authorization, *';
const RESPONSE_HEADERS = '*';

/**
 * Adds the headers that let an allowed origin read the answer. With `allow` given, answers a
 * preflight and says true; other requests go on.
 */
export function applyCors(
  { origins }: CorsPolicy,
  exchange: HttpExchange,
  allow: string | undefined,
): boolean {
  if (origins.size === 0) return false;
  const { request, headers } = exchange;
  headers.Vary = 'Origin';
  const { origin } = request.headers;
  if (origin === undefined || !origins.has(origin)) return false;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = RESPONSE_HEADERS;
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (allow === undefined || !isPreflight) return false;
  headers['Access-Control-Allow-Methods'] = allow;
  headers['Access-Control-Allow-Headers'] = REQUEST_HEADERS;
  headers['Access-Control-Max-Age'] = MAX_AGE_S;
  exchange.response.writeHead(204, headers).end();
  return true;
}
