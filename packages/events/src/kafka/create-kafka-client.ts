import { createSystemClock, type Logger } from '@tollgate/core';
import type { Kafka, LogEntry, RetryOptions } from 'kafkajs';
import { TOPIC_NAMES } from '../topics';
import type { KafkaEndpoint } from './kafka-settings';
import { acceptLeaderlessPartitions } from './leaderless-partitions';

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

/**
 * kafkajs 2.2.4 arms a timer after every answer, for a queue that is nearly always empty. Its delay
 * is `throttledUntil - now`, which without throttling is about minus the present time: Node answers
 * with TimeoutNegativeWarning and runs it after 1 ms, and the callback arms the next one, so that
 * each connection wakes its process a thousand times a second for as long as it lives. The timer is
 * only of use while a request waits, and enqueuing one arms it. So: no request, no timer.
 */
interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly throttledUntil: number;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** How soon a queue that waits for free slots is looked at, milliseconds, as in kafkajs. */
const CHECK_INTERVAL_MS = 10;

let isCorrected = false;

/** Puts the corrected timer in place, once per process; leaves a kafkajs it does not know alone. */
export function correctRequestQueueTimer(): void {
  if (isCorrected) return;
  isCorrected = true;
  // The class has no public door, and kafkajs declares no `exports` that would close this one.
  const requestQueue: unknown = require('kafkajs/src/network/requestQueue');
  if (typeof requestQueue !== 'function') return;
  const prototype = requestQueue.prototype as RequestQueue;
  if (typeof prototype.scheduleCheckPendingRequests !== 'function') return;
  const clock = createSystemClock();
  prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const throttledForMs = this.throttledUntil - clock.now();
    const delayMs = throttledForMs > 0 ? throttledForMs : CHECK_INTERVAL_MS;
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, delayMs);
  };
}
