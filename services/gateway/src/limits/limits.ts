import type { ServiceHost } from '@tollgate/lifecycle';
import type { ControlPlane } from '../clients/control-plane';
import { fromPlans } from '../clients/from-proto';
import type { GatewayConfig } from '../config';
import type { DenialCounter } from '../refusals/denials';
import { createAdmission } from './admission';
import { createCurrencyCheck } from './currency-check';
import type { RequestLimiter } from './limiter';
import { createMemoryLimiter } from './memory-limiter';
import { createPartitionedLimiter } from './partitioned-limiter';
import { createPlanTable } from './plan-table';
import { connectRedisCounters } from './redis-counters';
import { createRequestThrottle } from './request-throttle';
import { GATEWAY_TTL_MS } from './shared-limiter';

export type Limits = ReturnType<typeof createLimits>;

const PLAN_RETRY_MS = 1000;
/** Requests wait for the counters: after this the gateway counts alone. */
const COUNTERS_TIMEOUT_MS = 500;

interface LimitsDependencies {
  readonly gatewayId: string;
  readonly denials: DenialCounter;
}

/**
 * Everything that decides whether a request is taken now: plans, limits of accounts and keys, and
 * throttles. What the limits of accounts and keys deny is counted in `denials`, and what a throttle
 * refuses is not.
 */
export function createLimits(
  config: GatewayConfig,
  { clock, logger }: ServiceHost,
  { billing }: ControlPlane,
  { gatewayId, denials }: LimitsDependencies,
) {
  const { redisUrl, redisTlsCaFile, redisSentinels, redisCluster } = config;
  const local = createMemoryLimiter(clock, config.limitSubjectsMax);
  const shared =
    redisUrl === undefined
      ? undefined
      : createPartitionedLimiter(
          connectRedisCounters({
            redis: { redisUrl, redisTlsCaFile, redisSentinels, redisCluster },
            gatewayId,
            gatewayTtlMs: GATEWAY_TTL_MS,
            commandTimeoutMs: COUNTERS_TIMEOUT_MS,
            logger,
          }),
          { alone: local, subjectsMax: config.limitSubjectsMax, clock, logger },
        );
  const limiter: RequestLimiter = shared ?? local;
  // Apart from the accounts, so that a flood of addresses pushes out no account's counters.
  const throttled = createMemoryLimiter(clock, config.limitSubjectsMax);
  const currency = createCurrencyCheck(config.currency, logger);
  const plans = createPlanTable({
    async load() {
      const listed = await billing.listPlans({});
      currency.compare(listed.currency);
      return fromPlans(listed);
    },
    refreshIntervalMs: config.planRefreshMs,
    retryIntervalMs: PLAN_RETRY_MS,
    clock,
    logger,
  });
  return {
    plans,
    admission: createAdmission({ limiter, plans, denials }),
    throttles: {
      management: createRequestThrottle(throttled, 'management', config.managementPerMinute),
      public: createRequestThrottle(throttled, 'public', config.publicPerMinute),
      pages: createRequestThrottle(throttled, 'pages', config.pagesPerMinute),
      redeem: createRequestThrottle(throttled, 'redeem', config.loginPerMinute),
      login: createRequestThrottle(throttled, 'login', config.loginPerMinute),
    },
    /** Why the amounts of this gateway and of billing cannot be compared. */
    get currencyProblem() {
      return currency.problem;
    },
    async start() {
      await shared?.start();
      plans.start();
    },
    async close() {
      plans.stop();
      await limiter.close();
    },
  };
}
