import { type BackoffPolicy, type Clock, waitAtMost } from '@tollgate/core';
import {
  BATCH_MAX_DEFAULT,
  busClosing,
  CLOSE_TIMEOUT_MS_DEFAULT,
  DEAD_LETTER_TIMEOUT_MS,
  type EventBus,
  type EventBusObserver,
  type OutgoingEvent,
  PENDING_MESSAGES_MAX_DEFAULT,
  type SubscribeOptions,
  type Subscription,
  silentObserver,
} from '../event-bus';
import { HANDLER_BACKOFF_DEFAULT } from '../handle-events';
import type { TopicName } from '../topics';
import {
  CONSUME_RETRY,
  createKafkaClient,
  type KafkaConnectionOptions,
} from './create-kafka-client';
import { createKafkaPublisher } from './kafka-publisher';
import { startKafkaSubscription } from './kafka-subscription';

const HEARTBEAT_INTERVAL_MS = 2_000;

export interface KafkaBusOptions extends KafkaConnectionOptions {
  readonly clock: Clock;
  readonly observer?: EventBusObserver;
  /** Put before the name of every topic and group; for tests, which share a cluster. */
  readonly prefix?: string;
  /** Messages that may wait for the broker per topic; 10,000 when absent. */
  readonly pendingMessagesMax?: number;
  /** Wait before a failing handler gets its events again; 100 ms to 10 s when absent. */
  readonly backoff?: BackoffPolicy;
  /** A consumer is gone and will not come back by itself: end the process, another takes over. */
  onFatal(error: Error): void;
}

/** A bus on Kafka. `publish` resolves when every in-sync replica has the events. */
export function createKafkaBus(options: KafkaBusOptions): EventBus {
  const { clock, logger, observer = silentObserver, prefix = '' } = options;
  // Two clients, because kafkajs takes the patience of a connection from its client.
  const consuming = createKafkaClient(options, CONSUME_RETRY);
  const brokerTopic = (topic: TopicName) => `${prefix}${topic}`;
  const publisher = createKafkaPublisher({
    kafka: createKafkaClient(options),
    clock,
    observer,
    brokerTopic,
    pendingMessagesMax: options.pendingMessagesMax ?? PENDING_MESSAGES_MAX_DEFAULT,
  });
  const subscriptions = new Set<Subscription>();
  let closing = false;

  function start(subscribing: SubscribeOptions): Subscription {
    const { group, topics, batchMax = BATCH_MAX_DEFAULT, handle } = subscribing;
    const publishDeadLetter = (letter: OutgoingEvent) =>
      publisher.publish([letter], DEAD_LETTER_TIMEOUT_MS);
    const backoff = options.backoff ?? HANDLER_BACKOFF_DEFAULT;
    const heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS;
    return startKafkaSubscription({
      kafka: consuming,
      topics,
      brokerTopic,
      brokerGroup: `${prefix}${group}`,
      context: {
        group,
        handle,
        batchMax,
        backoff,
        heartbeatIntervalMs,
        clock,
        logger,
        observer,
        publishDeadLetter,
      },
      onFatal: (error) => options.onFatal(error),
    });
  }

  return {
    async publish(batch, { timeoutMs }) {
      if (closing) throw busClosing();
      await publisher.publish(batch, timeoutMs);
    },

    async subscribe(subscribing): Promise<Subscription> {
      if (closing) throw busClosing();
      const subscription = start(subscribing);
      subscriptions.add(subscription);
      return {
        async stop() {
          subscriptions.delete(subscription);
          await subscription.stop();
        },
      };
    },

    async close() {
      closing = true;
      // Consumers first: what they send to the dead letters while they finish still has to leave.
      const stopped = Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      const finished = stopped.then(() => publisher.idle());
      await waitAtMost(clock, CLOSE_TIMEOUT_MS_DEFAULT, finished);
      await publisher.disconnect();
    },
  };
}
