import { readFileSync } from 'node:fs';
import type { CommonRedisOptions, Redis, RedisOptions } from 'ioredis';

/** The configuration members that say how Redis is reached. */
export interface RedisSettings {
  /** With sentinels its host is the name that they know the master by. */
  readonly redisUrl: string;
  readonly redisTlsCaFile?: string | undefined;
  /** `host:port` each. */
  readonly redisSentinels?: readonly string[] | undefined;
}

/** How the client behaves; where it connects to is no part of it. */
type ClientOptions = Omit<CommonRedisOptions, 'replyMapping'> &
  Pick<RedisOptions, 'disconnectTimeout'>;

/** Loaded where it is used: 46 modules that a gateway which counts alone starts without. */
const loadRedis = () => require('ioredis') as typeof import('ioredis');

/** A client of Redis where the settings say that it is; throws when a file cannot be read. */
export function openRedis(settings: RedisSettings, options: ClientOptions): Redis {
  const { redisUrl, redisTlsCaFile, redisSentinels } = settings;
  const { Redis: Client } = loadRedis();
  const url = new URL(redisUrl);
  const hasTls = url.protocol === 'rediss:';
  const ca = redisTlsCaFile === undefined ? {} : { ca: readFileSync(redisTlsCaFile) };
  const tls = hasTls ? { tls: ca } : {};
  if (redisSentinels === undefined) return new Client(redisUrl, { ...options, ...tls });
  return new Client({
    ...options,
    ...tls,
    ...(hasTls ? { sentinelTLS: ca, enableTLSForSentinelMode: true } : {}),
    sentinels: redisSentinels.map(toPlace),
    name: url.hostname,
    // A master that just became a replica takes no writes: it is left for the next one.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    db: Number(url.pathname.slice(1)),
  });
}

function toPlace(address: string): { readonly host: string; readonly port: number } {
  const at = address.lastIndexOf(':');
  return {
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
  };
}
