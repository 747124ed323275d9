import type { Logger } from '@tollgate/core';
import { Redis } from 'ioredis';
import { ACQUIRE_SCRIPT, HEARTBEAT_SCRIPT, RELEASE_SCRIPT } from './limit-scripts';

type Arguments = readonly (string | number)[];
type Run<Answer> = (keys: number, ...values: Arguments) => Promise<Answer>;

/** The commands that the limiter sends; everything rejects while Redis is away. */
export interface LimitCommands {
  acquire(keys: readonly string[], values: Arguments): Promise<readonly number[]>;
  release(keys: readonly string[], values: Arguments): Promise<void>;
  heartbeat(key: string, values: Arguments): Promise<number>;
  /** Writes what this gateway has in flight: hash key, gateway, count of each. */
  restore(
    counts: readonly (readonly [key: string, gateway: string, count: number])[],
  ): Promise<void>;
  onReady(listener: () => void): void;
  close(): Promise<void>;
}

type Scripted = Redis & {
  readonly tollgateAcquire: Run<number[]>;
  readonly tollgateRelease: Run<unknown>;
  readonly tollgateHeartbeat: Run<number>;
};

const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2000;
const DISCONNECT_TIMEOUT_MS = 200;
const RECONNECT_MAX_MS = 1000;

/** Connects at once and keeps trying; nothing is queued while the connection is down. */
export function connectRedis(url: string, logger: Logger): LimitCommands {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A command that was sent before the connection broke may have run: it must not run twice.
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, attempt * 50),
  }) as Scripted;
  // Without a listener every failed connection attempt would be printed.
  redis.on('error', (error: Error) => logger.debug({ error }, 'Redis connection failed'));
  redis.defineCommand('tollgateAcquire', { lua: ACQUIRE_SCRIPT });
  redis.defineCommand('tollgateRelease', { lua: RELEASE_SCRIPT });
  redis.defineCommand('tollgateHeartbeat', { lua: HEARTBEAT_SCRIPT });
  return {
    acquire: (keys, values) => redis.tollgateAcquire(keys.length, ...keys, ...values),
    async release(keys, values) {
      await redis.tollgateRelease(keys.length, ...keys, ...values);
    },
    heartbeat: (key, values) => redis.tollgateHeartbeat(1, key, ...values),
    async restore(counts) {
      const pipeline = redis.pipeline();
      for (const [key, gateway, count] of counts) {
        if (count > 0) pipeline.hset(key, gateway, count);
        else pipeline.hdel(key, gateway);
      }
      const answers = await pipeline.exec();
      const failed = answers?.find(([error]) => error !== null);
      if (failed?.[0]) throw failed[0];
    },
    onReady: (listener) => void redis.on('ready', listener),
    async close() {
      redis.disconnect();
    },
  };
}
