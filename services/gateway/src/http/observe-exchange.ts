import type { AppError, Clock, Logger } from '@tollgate/core';
import type { Span, Tracing } from '@tollgate/observability';
import type { GatewayMetrics } from '../metrics';
import type { HttpExchange } from './exchange';

export interface ObserverOptions {
  readonly metrics: Pick<GatewayMetrics, 'opened' | 'closed' | 'answered'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly tracing: Tracing | undefined;
  /** One in this many successful requests gets a log line; 1 is every one. */
  readonly logSample: number;
}

/** No HTTP status: what proxies write down for a client that left before the head of its answer. */
const CLIENT_GONE_STATUS = 499;

/** Characters that are kept of a failure: longer sentences name fields that the client made up. */
export const MESSAGE_LENGTH_MAX = 300;

/** The label of an exchange whose path no row of the path table has. */
export const UNMATCHED = 'unmatched';

/**
 * Counts and traces an exchange of the API, or of a path that nobody serves; files and the console
 * are not observed. Every refused and failed one is logged in one line, and a sample of the others:
 * never a body, a query or a bearer, and of a path that nobody serves its plain words. The label is
 * the path of the row that serves it, or `UNMATCHED`.
 */
export function createExchangeObserver(
  options: ObserverOptions,
): (exchange: HttpExchange, label: string) => void {
  const { metrics, logger, clock, tracing, logSample } = options;
  let succeeded = 0;
  return (exchange, label) => {
    const startMs = clock.monotonicMs();
    const span = tracing?.enabled ? startSpan(tracing, exchange, label) : undefined;
    metrics.opened();
    exchange.onClose(() => {
      const durationMs = clock.monotonicMs() - startMs;
      const { headersSent, statusCode, writableFinished: whole } = exchange.response;
      const status = headersSent ? statusCode : CLIENT_GONE_STATUS;
      metrics.closed();
      metrics.answered(label, status, durationMs / 1000);
      const code = exchange.failure?.code;
      span?.setAttributes({ 'http.response.status_code': status });
      span?.end(code);
      const isGood = code === undefined && status < 400;
      if (isGood && succeeded++ % logSample !== 0) return;
      const { requestId, clientRequestId, ignored, principal, failure, request } = exchange;
      const line = {
        requestId,
        clientRequestId,
        method: request.method,
        route: label,
        ...(label === UNMATCHED && { path: plainWordsOf(request) }),
        status,
        whole,
        code,
        accountId: principal?.accountId,
        keyId: principal?.keyId,
        ...(ignored === undefined ? {} : { notUnderstood: ignored }),
        ...(failure === undefined ? {} : describeFailure(failure)),
        durationMs: Math.round(durationMs),
      };
      const sentence = isGood ? 'answered' : 'not answered';
      logger[isFault(status, failure) ? 'warn' : 'info'](line, sentence);
    });
  };
}

/** A key in the wrong place must not be logged: whatever is no plain word is left out. */
export function plainWordsOf(request: {
  readonly url?: string | undefined;
  originalUrl?: string;
}): string {
  const [path = ''] = (request.originalUrl ?? request.url ?? '').split('?');
  const words = path.split('/').map((word) => (PLAIN_WORD.test(word) ? word : '*'));
  return words.join('/').slice(0, MESSAGE_LENGTH_MAX);
}

const PLAIN_WORD = /^[a-z_]{0,24}$|^v\d$/;

/** Server faults are ours to see, also those in the middle of a stream; refusals are the client's. */
function isFault(status: number, failure: AppError | undefined): boolean {
  return status >= 500 || (failure?.definition.httpStatus ?? 0) >= 500;
}

/** What the client was told, and of a fault what it was not told where there is more to say. */
function describeFailure(failure: AppError): Record<string, unknown> {
  const { cause, code, message: internal, param, publicMessage } = failure;
  const record = {
    param: param?.slice(0, MESSAGE_LENGTH_MAX),
    message: publicMessage.slice(0, MESSAGE_LENGTH_MAX),
  };
  // Whose key it was, and why it is not taken, its sender is not told.
  if (code === 'UNAUTHORIZED' && internal !== publicMessage) return { ...record, detail: internal };
  if (!isFault(0, failure)) return record;
  if (code === 'INTERNAL_ERROR' || cause !== undefined) return { ...record, error: failure };
  return internal === publicMessage ? record : { ...record, detail: internal };
}

/** The next hop's calls belong to this span from now on. */
function startSpan(tracing: Tracing, exchange: HttpExchange, label: string): Span {
  const { method = '' } = exchange.request;
  const parent = exchange.traceparent;
  const span = tracing.startSpan(`${method} ${label}`, {
    traceparent: parent === '' ? undefined : parent,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': label,
      'tollgate.request_id': exchange.requestId,
    },
  });
  exchange.traceparent = span.traceparent;
  return span;
}
