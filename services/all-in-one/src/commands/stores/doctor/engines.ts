import { type Environment, parseConfig } from '@tollgate/config';
import { type Clock, type EngineName, silentLogger } from '@tollgate/core';
import { describeCluster, toKafkaEndpoint } from '@tollgate/events';
import { type MongoStore, openMongo } from '@tollgate/mongo';
import { type AllInOneConfig, currencyConfigSchema, storeConfigSchema } from '../../../config';
import { isGiven } from '../../../start/embedded-environment';
import { selectTargets } from '../../../start/targets';
import {
  type Finding,
  failure,
  ok,
  reasonOf,
  skipped,
  skippedOfEmbedded,
  warning,
} from './finding';

const CLOCK_DIFFERENCE_MAX_MS = 1000;
const WAIT_MS = 3000;
/** How long Redis may take to close the connection: the check has its answers by then. */
const DISCONNECT_MS = 100;

interface HelloAnswer {
  readonly setName?: string;
  readonly localTime?: Date;
}

/**
 * An engine that is not named: what the services here do without it, or that none of them uses it.
 * One that they need is told with the settings.
 */
function notNamed(
  subject: string,
  variable: string,
  { targets }: AllInOneConfig,
  without: Readonly<{ engine: EngineName; happens: string }>,
): Finding {
  const isUsed = selectTargets(targets).some(({ engines }) => engines.includes(without.engine));
  const why = isUsed
    ? `: ${without.happens}`
    : ` here: TARGET=${targets.join(',')} does not use it`;
  return skipped(subject, `${variable} is not set${why}`);
}

/** What the store that the environment names answers; it is soon given up. */
export async function askStore<Answer>(
  environment: Environment,
  ask: (store: MongoStore) => Promise<Answer>,
): Promise<Answer> {
  const store = openMongo({
    uri: parseConfig(storeConfigSchema, environment).mongodbUri,
    appName: 'tollgate-doctor',
    logger: silentLogger,
    selectionTimeoutMs: WAIT_MS,
    socketTimeoutMs: WAIT_MS,
  });
  try {
    await store.connect();
    return await ask(store);
  } finally {
    await store.close();
  }
}

/** The document store: reachable, a replica set, of the same time. */
export async function checkStore(
  config: AllInOneConfig,
  environment: Environment,
  clock: Clock,
): Promise<Finding> {
  if (!isGiven(environment, 'MONGODB_URI')) {
    const without = { engine: 'mongodb', happens: 'the embedded store is used' } as const;
    return notNamed('store', 'MONGODB_URI', config, without);
  }
  try {
    return await askStore(environment, async ({ connection }) => {
      const beganMonotonicMs = clock.monotonicMs();
      const hello = (await connection.db?.command({ hello: 1 })) as HelloAnswer | undefined;
      const tookMs = clock.monotonicMs() - beganMonotonicMs;
      return judgeStore(hello, Math.round(tookMs), clock.now() - tookMs / 2);
    });
  } catch (error) {
    const remedy = 'check MONGODB_URI, and that the server runs and lets this machine in';
    return failure('store', `no answer: ${reasonOf(error)}`, remedy);
  }
}

function judgeStore(hello: HelloAnswer | undefined, tookMs: number, now: number): Finding {
  if (hello?.setName === undefined) {
    const remedy = 'use a replica set: the money of a server without copies is lost with its disk';
    return warning('store', `one server without copies, ${tookMs} ms`, remedy);
  }
  const difference = Math.round((hello.localTime?.getTime() ?? now) - now);
  const seen = `replica set ${hello.setName}, ${tookMs} ms, its clock ${difference} ms from ours`;
  if (Math.abs(difference) <= CLOCK_DIFFERENCE_MAX_MS) return ok('store', seen);
  return warning('store', seen, 'set both clocks by NTP: periods, expiry and tokens go by them');
}

/** The currency of the settings is the one of the stored amounts: billing refuses any other. */
export async function checkCurrency(environment: Environment): Promise<Finding> {
  if (!isGiven(environment, 'MONGODB_URI')) return skippedOfEmbedded('currency');
  // Declaring the command must not load the services.
  const { findCurrency } = require('@tollgate/billing') as typeof import('@tollgate/billing');
  try {
    const { currency } = parseConfig(currencyConfigSchema, environment);
    const stored = (await askStore(environment, findCurrency)) ?? currency;
    if (stored === currency) return ok('currency', currency);
    const seen = `TOLLGATE_CURRENCY is ${currency}, and all amounts in the store are in ${stored}`;
    return failure('currency', seen, `set TOLLGATE_CURRENCY=${stored} for every service`);
  } catch (error) {
    const remedy = 'see what is said of the store';
    return warning('currency', `could not be read: ${reasonOf(error)}`, remedy);
  }
}

/** The event bus: reachable, with its topics. */
export async function checkKafka(config: AllInOneConfig): Promise<Finding> {
  if (config.kafkaBrokers === undefined) {
    const without = { engine: 'kafka', happens: 'events stay here' } as const;
    return notNamed('Kafka', 'KAFKA_BROKERS', config, without);
  }
  try {
    const found = await describeCluster({
      ...toKafkaEndpoint(config),
      clientId: 'tollgate-doctor',
      logger: silentLogger,
      connectionTimeoutMs: WAIT_MS,
      requestTimeoutMs: WAIT_MS,
    });
    const seen = `${found.brokers} brokers, ${found.topics.length} of our topics`;
    if (found.missing.length === 0) return ok('Kafka', seen);
    const remedy = `they are made at the first start, or make them: ${found.missing.join(', ')}`;
    return warning('Kafka', seen, remedy);
  } catch (error) {
    const remedy = 'check KAFKA_BROKERS, and that the brokers announce addresses known here';
    return failure('Kafka', `no answer: ${reasonOf(error)}`, remedy);
  }
}

/** The store of limit counters: reachable, quick, and never forgetting a counter. */
export async function checkRedis(config: AllInOneConfig, clock: Clock): Promise<Finding> {
  const { redisUrl } = config;
  if (redisUrl === undefined) {
    const without = { engine: 'redis', happens: 'one gateway counts limits in memory' } as const;
    return notNamed('Redis', 'REDIS_URL', config, without);
  }
  // Declaring the command must not load it: every start does that.
  const { openRedis } = require('@tollgate/gateway') as typeof import('@tollgate/gateway');
  const redis = openRedis(
    { ...config, redisUrl },
    {
      lazyConnect: true,
      connectTimeout: WAIT_MS,
      commandTimeout: WAIT_MS,
      disconnectTimeout: DISCONNECT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      sentinelRetryStrategy: () => null,
    },
  );
  redis.on('error', () => {});
  try {
    await redis.connect();
    // Of a cluster every server that takes writes: one that is away is enough for a failure.
    const servers = 'nodes' in redis ? redis.nodes('master') : [redis];
    const beganMonotonicMs = clock.monotonicMs();
    await Promise.all(servers.map((server) => server.ping()));
    const tookMs = Math.round(clock.monotonicMs() - beganMonotonicMs);
    const policies = new Set(await Promise.all(servers.map(policyOf)));
    const seen = `${tookMs} ms, eviction policy ${[...policies].join(' and ')}`;
    const among = 'nodes' in redis ? `cluster of ${servers.length}, ${seen}` : seen;
    const evicts = [...policies].some((policy) => !['noeviction', 'unknown'].includes(policy));
    if (!evicts) return ok('Redis', among);
    return warning('Redis', among, 'set maxmemory-policy noeviction: an evicted limit starts anew');
  } catch (error) {
    const remedy = 'check REDIS_URL, and that the server runs and lets this machine in';
    return failure('Redis', `no answer: ${reasonOf(error)}`, remedy);
  } finally {
    redis.disconnect();
  }
}

async function policyOf(server: { info(section: string): Promise<string> }): Promise<string> {
  const memory = await server.info('memory').catch(() => '');
  return /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? 'unknown';
}
