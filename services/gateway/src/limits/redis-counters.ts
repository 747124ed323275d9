import type { Logger } from '@tollgate/core';
import type { Cluster, Redis } from 'ioredis';
import { LIMIT_KINDS, limitIn } from './limiter';
import { onServerReady, openRedis, type RedisSettings } from './open-redis';
import {
  type CounterKeys,
  counterPartitions,
  HEARTBEAT_SCRIPT,
  kindOf,
  SHARE_SCRIPT,
} from './share-scripts';
import type { CounterView, SharedCounters, ShareGrant, ShareRequest } from './shared-counters';

export interface RedisCountersOptions {
  readonly redis: RedisSettings;
  readonly gatewayId: string;
  /** Without a heartbeat for so long a gateway holds nothing any more. */
  readonly gatewayTtlMs: number;
  /** Time of the counters, for tests; the server's own when absent, so that gateways agree. */
  readonly counterTime?: () => number;
  /** An answer that takes longer is a failure. */
  readonly commandTimeoutMs: number;
  readonly logger: Logger;
}

type Run = (keys: number, ...values: readonly (string | number)[]) => Promise<number[]>;
type Scripted = (Redis | Cluster) & {
  readonly tollgateShare: Run;
  readonly tollgateHeartbeat: Run;
};

const CONNECT_TIMEOUT_MS = 2000;
const DISCONNECT_TIMEOUT_MS = 200;
const RECONNECT_MAX_MS = 1000;

/**
 * Connects at once and keeps trying; nothing is queued while the connection is down. Returns every
 * partition: one, or those of a cluster.
 */
export function connectRedisCounters(options: RedisCountersOptions): readonly SharedCounters[] {
  const redis = openRedis(options.redis, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A command that was sent before the connection broke may have run: it must not run twice.
    autoResendUnfulfilledCommands: false,
    commandTimeout: options.commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, attempt * 50),
  }) as Scripted;
  const { logger } = options;
  // Without a listener every failed connection attempt would be printed.
  redis.on('error', (error: Error) => logger.debug({ error }, 'Redis connection failed'));
  redis.defineCommand('tollgateShare', { lua: SHARE_SCRIPT });
  redis.defineCommand('tollgateHeartbeat', { lua: HEARTBEAT_SCRIPT });
  const partitions = counterPartitions(options.redis.redisCluster !== undefined);
  let open = partitions.length;
  const close = () => {
    open -= 1;
    if (open === 0) redis.disconnect();
  };
  const listeners: (() => void)[] = [];
  const onReady = (listener: () => void) => void listeners.push(listener);
  onServerReady(redis, () => {
    for (const listener of listeners) listener();
  });
  return partitions.map((names) => ({
    ...connectPartition(redis, names, options),
    onReady,
    close,
  }));
}

function connectPartition(
  redis: Scripted,
  names: CounterKeys,
  { gatewayId, gatewayTtlMs, counterTime }: RedisCountersOptions,
): Pick<SharedCounters, 'share' | 'heartbeat' | 'leave'> {
  const head = () => [counterTime?.() ?? '', gatewayId, gatewayTtlMs];
  return {
    async share(requests) {
      const keys = [names.gateways, ...requests.flatMap(({ id }) => names.subject(id))];
      const values = [...head(), ...requests.flatMap(toArguments)];
      const answer = await redis.tollgateShare(keys.length, ...keys, ...values);
      return {
        ...toView(answer),
        grants: requests.map((_, index) => toGrant(answer, VIEW_LENGTH + index * GRANT_LENGTH)),
      };
    },
    heartbeat: async () => toView(await redis.tollgateHeartbeat(1, names.gateways, ...head())),
    async leave() {
      await redis.zrem(names.gateways, gatewayId);
    },
  };
}

/** A request as the script's arguments, in the order in which it takes them. */
function toArguments(request: ShareRequest): readonly (number | string)[] {
  return [
    ...LIMIT_KINDS.map((kind) => limitIn(request.limits, kind) ?? ''),
    request.used.length,
    ...request.used.flat(),
    request.day,
    request.dayChange,
    request.admissions,
    request.admissionsNeeded,
    request.admissionsSpare,
    request.places,
    request.placesIdle,
    request.placesNeeded,
  ];
}

const VIEW_LENGTH = 3;
const GRANT_LENGTH = 9;

function toView([counterMs = 0, gateways = 1, known = 1]: readonly number[]): CounterView {
  return { counterMs, gateways: Math.max(1, gateways), known: known === 1 };
}

/** Reads one grant of what the script returns. */
function toGrant(answer: readonly number[], at: number): ShareGrant {
  const [admissions = 0, admissionsKeep = 0, refused = 0, waitMs = 0, places = 0, ...rest] =
    answer.slice(at, at + GRANT_LENGTH);
  const [placesKeep = 0, minuteCount = 0, minuteResetMs = 0, dayCount = 0] = rest;
  return {
    admissions,
    admissionsKeep,
    refused: kindOf(refused),
    waitMs,
    places,
    placesKeep,
    minuteCount,
    minuteResetMs,
    dayCount,
  };
}
