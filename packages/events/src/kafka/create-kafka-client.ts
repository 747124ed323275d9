import type { Logger } from '@tollgate/core';
import type { Kafka, LogEntry, RetryOptions } from 'kafkajs';
import { TOPIC_NAMES } from '../topics';
import type { KafkaEndpoint } from './kafka-settings';
import { acceptLeaderlessPartitions } from './leaderless-partitions';
import { correctRequestQueueTimer } from './request-queue-timer';

/** How to reach the brokers. */
export interface KafkaConnectionOptions extends KafkaEndpoint {
  readonly clientId: string;
  readonly logger: Logger;
  /** A broker that does not accept a connection for this long is away; 3,000 when absent. */
  readonly connectionTimeoutMs?: number;
  /** A request without an answer for this long has failed; 10,000 when absent. */
  readonly requestTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Of publishing. Less than a request takes that is not answered: kafkajs does not look for another
 * leader after that, unless what it knows is too old when it tries again.
 */
export const PUBLISH_METADATA_MAX_AGE_MS = REQUEST_TIMEOUT_MS / 2;

/** For publishing: quick, because its callers have retries of their own that know their deadlines. */
export const PUBLISH_RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 } as const;

/**
 * For consuming: about 10 s. While it lasts a member keeps its place in the group; a member that
 * gave up joins as a stranger and waits until the session of its former self has ended.
 */
export const CONSUME_RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 12 } as const;

/** kafkajs itself: 143 modules that an installation without brokers starts without. */
export const loadKafka = () => require('kafkajs') as typeof import('kafkajs');

/** Creates a kafkajs client that logs where we log. */
export function createKafkaClient(
  options: KafkaConnectionOptions,
  retry: RetryOptions = PUBLISH_RETRY,
): Kafka {
  correctRequestQueueTimer();
  const { brokers, clientId, ssl, sasl, logger } = options;
  const { Kafka: Client, logLevel } = loadKafka();
  return new Client({
    brokers: [...brokers],
    clientId,
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl }),
    connectionTimeout: options.connectionTimeoutMs ?? 3_000,
    requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    retry,
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => writeLog(logger, entry),
  });
}

// One level lower than kafkajs thinks: it says ERROR of what its own retries repair, and what they
// do not repair reaches us as a rejection or a crash, which we log ourselves.
function writeLog(logger: Logger, { namespace, level, log }: LogEntry): void {
  const { message, timestamp: _timestamp, logger: _name, ...fields } = log;
  const line = { kafka: namespace, ...fields };
  const { logLevel } = loadKafka();
  if (level === logLevel.ERROR) logger.warn(line, message);
  else if (level === logLevel.WARN) logger.info(line, message);
  else logger.debug(line, message);
}

/** The state of the brokers at one look. */
export interface ClusterDescription {
  readonly brokers: number;
  /** Topics of the product that exist, and those that do not. */
  readonly topics: readonly string[];
  readonly missing: readonly string[];
}

/** Looks at the brokers once, and changes nothing; rejects when none answers. */
export async function describeCluster(
  options: KafkaConnectionOptions,
): Promise<ClusterDescription> {
  const admin = createKafkaClient(options, { retries: 0 }).admin();
  await admin.connect();
  try {
    const { brokers } = await acceptLeaderlessPartitions(() => admin.describeCluster());
    const present = await acceptLeaderlessPartitions(() => admin.listTopics());
    const names: readonly string[] = TOPIC_NAMES;
    return {
      brokers: brokers.length,
      topics: names.filter((name) => present.includes(name)),
      missing: names.filter((name) => !present.includes(name)),
    };
  } finally {
    await admin.disconnect();
  }
}
