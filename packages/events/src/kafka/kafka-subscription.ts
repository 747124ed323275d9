import { backoffDelayMs, delay } from '@tollgate/core';
import type { Consumer, Kafka } from 'kafkajs';
import type { Subscription } from '../event-bus';
import { createSuspects } from '../handle-events';
import type { TopicName } from '../topics';
import { type ConsumeContext, consumeBatch } from './consume-batch';
import { createConsumerLag } from './consumer-lag';
import { CONSUME_RETRY } from './create-kafka-client';
import { hideLeaderlessPartitions } from './leaderless-partitions';

/**
 * How long the broker holds a fetch that finds nothing; what comes ends it at once. Leaving and
 * joining wait for it: kafkajs' own 5 s would make both slow.
 */
const FETCH_WAIT_MS = 1_000;
/** How long the group waits for a member that fell silent before it shares out its partitions. */
const SESSION_TIMEOUT_MS = 10_000;
const PARTITIONS_AT_ONCE = 4;
/**
 * How soon a partition is seen that has a leader again. A broker that answers nothing holds this look
 * up for as long as the group waits for a silent member: it must be seldom beside that.
 */
const METADATA_MAX_AGE_MS = 30_000;
const CONNECT_BACKOFF = { initialMs: 250, maxMs: 5_000 };

export interface KafkaSubscriptionOptions {
  readonly kafka: Kafka;
  readonly topics: readonly TopicName[];
  brokerTopic(topic: TopicName): string;
  /** The name of the group on the brokers. */
  readonly brokerGroup: string;
  readonly context: Omit<ConsumeContext, 'signal' | 'attempts' | 'suspects' | 'lag'>;
  onFatal(error: Error): void;
}

/**
 * Joins the group in the background and stays in it until stopped, whether or not the brokers are
 * there at this moment: a service must be able to start without them.
 */
export function startKafkaSubscription(options: KafkaSubscriptionOptions): Subscription {
  const { clock, logger, group, observer } = options.context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const consumer = createConsumer(options, signal);
  const lag = createConsumerLag(group, observer);
  consumer.on(consumer.events.GROUP_JOIN, () => lag.clear());
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (signal.aborted || payload.restart) return;
    logger.error({ group, error: payload.error }, 'an event consumer crashed for good');
    options.onFatal(payload.error);
  });

  async function start(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await runConsumer(consumer, options, { lag, signal });
        return;
      } catch (error) {
        logger.warn({ group, attempt, error }, 'an event consumer could not connect yet');
        await consumer.disconnect().catch(() => undefined);
        const waitMs = backoffDelayMs(CONNECT_BACKOFF, attempt);
        await delay(clock, waitMs, signal).catch(() => undefined);
      }
    }
  }

  // All that kafkajs does for this consumer later has its beginning in this call.
  const started = hideLeaderlessPartitions(start);
  return {
    async stop() {
      stopping.abort(new Error('the subscription stops'));
      // A join that is under way would go on after a disconnect and come back as a zombie.
      await started;
      await consumer.disconnect().catch((error: unknown) => {
        logger.warn({ group, error }, 'an event consumer did not disconnect cleanly');
      });
    },
  };
}

function createConsumer(options: KafkaSubscriptionOptions, signal: AbortSignal): Consumer {
  return options.kafka.consumer({
    groupId: options.brokerGroup,
    allowAutoTopicCreation: false,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: options.context.heartbeatIntervalMs,
    retry: { ...CONSUME_RETRY, restartOnFailure: async () => !signal.aborted },
  });
}

async function runConsumer(
  consumer: Consumer,
  options: KafkaSubscriptionOptions,
  { lag, signal }: Pick<ConsumeContext, 'lag' | 'signal'>,
): Promise<void> {
  const ours = new Map(options.topics.map((topic) => [options.brokerTopic(topic), topic]));
  const own = { attempts: new Map<string, number>(), suspects: createSuspects(), lag };
  const context: ConsumeContext = { ...options.context, signal, ...own };
  await consumer.connect();
  // From the beginning: a group that is new must not miss what was published before it existed.
  await consumer.subscribe({ topics: [...ours.keys()], fromBeginning: true });
  if (signal.aborted) return;
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    async eachBatch(payload) {
      const topic = ours.get(payload.batch.topic);
      if (topic !== undefined) await consumeBatch(topic, payload, context);
    },
  });
}
