import { readFileSync } from 'node:fs';
import type { Cluster, CommonRedisOptions, Redis, RedisOptions } from 'ioredis';

/** The settings that say how Redis is reached. */
export interface RedisSettings {
  /** Its host is the name that sentinels know the master by, and nothing with a cluster. */
  readonly redisUrl: string;
  readonly redisTlsCaFile?: string | undefined;
  /** `host:port` each. */
  readonly redisSentinels?: readonly string[] | undefined;
  /** `host:port` of some servers of a cluster, which tell the others. */
  readonly redisCluster?: readonly string[] | undefined;
}

/** How the client behaves; where it connects to is no part of it. */
type ClientOptions = Omit<CommonRedisOptions, 'replyMapping'> &
  Pick<RedisOptions, 'disconnectTimeout' | 'sentinelRetryStrategy'>;

/** Loaded where it is used: 46 modules that a gateway which counts alone starts without. */
const loadRedis = () => require('ioredis') as typeof import('ioredis');

/** How often a cluster is asked who serves what: a server that is frozen tells nobody. */
const CLUSTER_REFRESH_MS = 5000;

/** A client of Redis where the settings say that it is; throws when a file cannot be read. */
export function openRedis(settings: RedisSettings, options: ClientOptions): Redis | Cluster {
  const { redisUrl, redisTlsCaFile, redisSentinels, redisCluster } = settings;
  const { Redis: Client } = loadRedis();
  const url = new URL(redisUrl);
  const hasTls = url.protocol === 'rediss:';
  const ca = redisTlsCaFile === undefined ? {} : { ca: readFileSync(redisTlsCaFile) };
  const tls = hasTls ? { tls: ca } : {};
  const user = {
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
  if (redisCluster !== undefined) {
    return openCluster(redisCluster, { ...options, ...tls, ...user });
  }
  if (redisSentinels === undefined) return new Client(redisUrl, { ...options, ...tls });
  return new Client({
    ...options,
    ...tls,
    ...(hasTls ? { sentinelTLS: ca, enableTLSForSentinelMode: true } : {}),
    sentinels: redisSentinels.map(toHostAndPort),
    name: url.hostname,
    // A master that just became a replica takes no writes: it is left for the next one.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    ...user,
    db: Number(url.pathname.slice(1)),
  });
}

function openCluster(
  addresses: readonly string[],
  { enableOfflineQueue, lazyConnect, retryStrategy, ...ofServers }: ClientOptions,
): Cluster {
  const { Cluster: Client } = loadRedis();
  return new Client(addresses.map(toHostAndPort), {
    ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
    ...(lazyConnect === undefined ? {} : { lazyConnect }),
    clusterRetryStrategy: retryStrategy ?? null,
    // It asks one server, any of them: a dead one would keep us from those that work.
    enableReadyCheck: false,
    slotsRefreshInterval: CLUSTER_REFRESH_MS,
    // What was sent to a server that went away may have run; whoever asked decides.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // Certificates are checked by the name that was configured, not by what it resolves to.
    dnsLookup: (address, found) => found(null, address),
    redisOptions: ofServers,
  });
}

/** Calls the listener each time when Redis, or a server of a cluster, begins to take commands. */
export function onServerReady(redis: Redis | Cluster, listener: () => void): void {
  redis.on('ready', listener);
  if (!('nodes' in redis)) return;
  const listen = (server: Redis) => void server.on('ready', listener);
  redis.nodes().forEach(listen);
  redis.on('+node', listen);
}

function toHostAndPort(address: string): { readonly host: string; readonly port: number } {
  const at = address.lastIndexOf(':');
  return {
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
  };
}
