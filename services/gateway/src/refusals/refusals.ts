import type { EventBus } from '@tollgate/events';
import { type RepeatedWork, repeatAll } from '@tollgate/jobs';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { GatewayConfig } from '../config';
import type { GatewayMetrics } from '../metrics';
import { createDenialCounter } from './denials';
import { createDenialPublisher, createRefusedRequestPublisher } from './publish';
import { createRefusedRequests } from './refused-requests';

export type Refusals = ReturnType<typeof createRefusals>;

const DENIAL_COUNTS_MAX = 10_000;

/** Where denials and refused requests are published and counted. */
interface Outlet {
  readonly gatewayId: string;
  readonly bus: EventBus;
  readonly metrics: GatewayMetrics;
}

/** What becomes of requests that are not taken: all denials are counted, some requests are kept. */
export function createRefusals(
  { denialWindowMs: windowMs }: GatewayConfig,
  { clock, logger }: ServiceHost,
  { gatewayId, bus, metrics }: Outlet,
) {
  const denials = createDenialCounter({
    publish: createDenialPublisher(bus, gatewayId, clock),
    onDenial: metrics.denied,
    countsMax: DENIAL_COUNTS_MAX,
    windowMs,
    clock,
    logger,
  });
  const publish = createRefusedRequestPublisher(bus, gatewayId, clock);
  const refusedRequests = createRefusedRequests({ publish, clock, logger });
  const window = { intervalMs: windowMs, firstAfterMs: windowMs };
  const jobs: readonly RepeatedWork[] = [
    { name: 'counts of denials', ...window, run: denials.flush },
    { name: 'refused requests', ...window, run: refusedRequests.flush },
  ];
  const stopping = new AbortController();
  let publishing: Promise<void> | undefined;
  return {
    denials,
    refusedRequests,
    start() {
      publishing = repeatAll(jobs, { clock, logger }, stopping.signal);
    },
    async close() {
      stopping.abort();
      await publishing;
      await Promise.all([denials.flush(), refusedRequests.flush()]);
    },
  };
}
