import type { Clock, Logger } from '@tollgate/core';
import type { GatewayMetrics } from '../metrics';
import type { Exchange } from './exchange';

/** One in this many ordinary answers gets a log line; every server fault has its own. */
const LOG_SAMPLE = 100;

/** Counts every exchange, and logs some: never a body, a query or a bearer. */
export function createExchangeObserver(
  metrics: GatewayMetrics,
  logger: Logger,
  clock: Clock,
): (exchange: Exchange, label: string) => void {
  let seen = 0;
  return (exchange, label) => {
    const startMs = clock.monotonicMs();
    metrics.opened();
    exchange.response.once('close', () => {
      const durationMs = clock.monotonicMs() - startMs;
      const { statusCode: status, writableFinished: whole } = exchange.response;
      metrics.closed();
      metrics.answered(label, status, durationMs / 1000);
      seen += 1;
      if (seen % LOG_SAMPLE !== 1) return;
      const { requestId, clientRequestId, request } = exchange;
      const line = { requestId, clientRequestId, method: request.method, route: label };
      logger.info({ ...line, status, whole, durationMs: Math.round(durationMs) }, 'answered');
    });
  };
}
