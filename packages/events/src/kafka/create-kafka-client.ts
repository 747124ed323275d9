import type { Logger } from '@tollgate/core';
import type { Kafka, LogEntry, RetryOptions } from 'kafkajs';
import type { KafkaEndpoint } from './kafka-settings';
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
    requestTimeout: options.requestTimeoutMs ?? 10_000,
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
