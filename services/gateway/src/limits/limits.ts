import type { EventBus } from '@tollgate/events';
import { type RepeatedWork, repeatAll } from '@tollgate/jobs';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { ControlPlane } from '../clients/control-plane';
import { createCurrencyCheck } from '../clients/currency-check';
import { fromPlans } from '../clients/from-proto';
import type { GatewayConfig } from '../config';
import type { GatewayMetrics } from '../metrics';
import { createAdmission, createRequestThrottle } from './admission';
import { createDenialCounter, createDenialPublisher } from './denials';
import type { RequestLimiter } from './limiter';
import { createMemoryLimiter } from './memory-limiter';
import { createPartitionedLimiter } from './partitioned-limiter';
import { createPlanTable } from './plan-table';
import { connectRedisCounters } from './redis-connection';
import { createRedisLimiter, GATEWAY_TTL_MS } from './redis-limiter';
import { createRefusedRequestPublisher, createRefusedRequests } from './refused-requests';

export type Limits = ReturnType<typeof createLimits>;

const PLAN_RETRY_MS = 1000;
const DENIAL_COUNTS_MAX = 10_000;

/** Where denials and refused requests are published and counted. */
interface DenialOutlet {
  readonly gatewayId: string;
  readonly bus: EventBus;
  readonly metrics: GatewayMetrics;
}

/**
 * Everything that decides whether a request is taken now, and what becomes of those that are not:
 * plans, limits of accounts and keys, throttles, and the denials and refused requests that are
 * counted and remembered.
 */
export function createLimits(
  config: GatewayConfig,
  { clock, logger }: ServiceHost,
  { billing }: ControlPlane,
  { gatewayId, bus, metrics }: DenialOutlet,
) {
  const local = createMemoryLimiter(clock, config.limitSubjectsMax);
  const redis =
    config.redisUrl === undefined
      ? undefined
      : createPartitionedLimiter(
          connectRedisCounters({
            redis: { ...config, redisUrl: config.redisUrl },
            gatewayId,
            gatewayTtlMs: GATEWAY_TTL_MS,
            logger,
          }).map((counters, partition) =>
            createRedisLimiter({
              counters,
              fallback: local,
              subjectsMax: config.limitSubjectsMax,
              clock,
              logger: logger.child({ partition }),
            }),
          ),
        );
  const limiter: RequestLimiter = redis ?? local;
  // Apart from the accounts, so that a flood of addresses pushes out no account's counters.
  const throttled = createMemoryLimiter(clock, config.limitSubjectsMax);
  const currency = createCurrencyCheck(config.currency, logger);
  const plans = createPlanTable({
    async load() {
      const told = await billing.listPlans({});
      currency.compare(told.currency);
      return fromPlans(told);
    },
    refreshIntervalMs: config.planRefreshMs,
    retryIntervalMs: PLAN_RETRY_MS,
    clock,
    logger,
  });
  const windowMs = config.denialWindowMs;
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
    plans,
    currency,
    denials,
    refusedRequests,
    admission: createAdmission({ limiter, plans, denials }),
    throttles: {
      management: createRequestThrottle(throttled, 'management', config.managementPerMinute),
      public: createRequestThrottle(throttled, 'public', config.publicPerMinute),
      pages: createRequestThrottle(throttled, 'pages', config.pagesPerMinute),
      redeem: createRequestThrottle(throttled, 'redeem', config.loginPerMinute),
      login: createRequestThrottle(throttled, 'login', config.loginPerMinute),
    },
    async start() {
      await redis?.start();
      plans.start();
      publishing = repeatAll(jobs, { clock, logger }, stopping.signal);
    },
    async close() {
      plans.stop();
      stopping.abort();
      await publishing;
      await Promise.all([denials.flush(), refusedRequests.flush()]);
      await limiter.close();
    },
  };
}
