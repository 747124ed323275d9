import { AppError, type Clock } from '@tollgate/core';
import type { Kafka, Producer } from 'kafkajs';
import { encodeEvent } from '../codec';
import {
  busUnavailable,
  type EventBusObserver,
  type OutgoingEvent,
  type SerialisedEvent,
} from '../event-bus';
import type { TopicName } from '../topics';
import { loadKafka, PUBLISH_RETRY } from './create-kafka-client';
import { createTopicSender, type EncodedMessage, type TopicSender } from './topic-sender';

/** What leaves in one request, below what a broker takes at once (1 MiB). */
const FLUSH_BOUNDS = { messagesMax: 1_000, bytesMax: 900 * 1024 };

export interface KafkaPublisherOptions {
  readonly kafka: Kafka;
  readonly clock: Clock;
  readonly observer: EventBusObserver;
  /** The name of our topic on the brokers. */
  brokerTopic(topic: TopicName): string;
  /** Messages that may wait for the broker per topic; beyond it publishing is refused. */
  readonly pendingMessagesMax: number;
  readonly validate: boolean;
}

/** The publishing half of the Kafka bus. */
export interface KafkaPublisher {
  publish(batch: readonly (OutgoingEvent | SerialisedEvent)[], timeoutMs: number): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Creates a publisher; it connects with the first event. */
export function createKafkaPublisher(options: KafkaPublisherOptions): KafkaPublisher {
  const { clock, observer, pendingMessagesMax, validate } = options;
  const producer = createConnectedProducer(options.kafka);
  const senders = new Map<TopicName, TopicSender>();

  const send = async (topic: TopicName, messages: readonly EncodedMessage[]) => {
    const connected = await producer.get();
    const topicMessages = [{ topic: options.brokerTopic(topic), messages: [...messages] }];
    await connected.sendBatch({ acks: -1, topicMessages });
  };

  const senderOf = (topic: TopicName): TopicSender => {
    const sender = senders.get(topic) ?? createTopicSender(topic, FLUSH_BOUNDS, send);
    senders.set(topic, sender);
    return sender;
  };

  const idle = async () => {
    await Promise.all([...senders.values()].map((sender) => sender.idle()));
  };

  async function accept(
    batch: readonly (OutgoingEvent | SerialisedEvent)[],
    timeoutMs: number,
  ): Promise<void> {
    const byTopic = groupByTopic(batch, validate);
    for (const [topic, messages] of byTopic) {
      if (senderOf(topic).pendingMessages + messages.length > pendingMessagesMax) {
        throw busUnavailable(`${pendingMessagesMax} messages wait for the broker`);
      }
    }
    const sends = [...byTopic].map(([topic, messages]) => senderOf(topic).push(messages));
    const late = busUnavailable(`the broker did not accept the events within ${timeoutMs} ms`);
    const timer = clock.schedule(timeoutMs, () => {
      for (const { cancel } of sends) cancel(late);
    });
    try {
      // Every part is awaited, so that the outcome is known before the timer is let go.
      const outcomes = await Promise.allSettled(sends.map(({ promise }) => promise));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw toUnavailable(failed.reason);
    } finally {
      timer.cancel();
    }
  }

  return {
    async publish(batch, timeoutMs) {
      let report: 'published' | 'publishFailed' = 'publishFailed';
      try {
        await accept(batch, timeoutMs);
        report = 'published';
      } finally {
        for (const { topic } of batch) observer[report](topic, 1);
      }
    },
    idle,
    async disconnect() {
      await producer.disconnect();
      // A send that still retries would connect again after this, and stay.
      void idle().then(() => producer.disconnect());
    },
  };
}

interface ConnectedProducer {
  get(): Promise<Producer>;
  disconnect(): Promise<void>;
}

/** One producer, connected at its first use and again after a failed attempt. */
function createConnectedProducer(kafka: Kafka): ConnectedProducer {
  const producer = kafka.producer({
    // Named, because kafkajs warns of a change of its default otherwise. This one is Java's.
    createPartitioner: loadKafka().Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: PUBLISH_RETRY,
  });
  let connecting: Promise<void> | undefined;
  return {
    async get() {
      connecting ??= producer.connect().catch(async (error: unknown) => {
        // A connection that was accepted but never answered would stay open behind our back.
        await producer.disconnect().catch(() => undefined);
        connecting = undefined;
        throw error;
      });
      await connecting;
      return producer;
    },
    async disconnect() {
      if (connecting === undefined) return;
      await connecting.catch(() => undefined);
      await producer.disconnect().catch(() => undefined);
    },
  };
}

function groupByTopic(
  batch: readonly (OutgoingEvent | SerialisedEvent)[],
  validate: boolean,
): ReadonlyMap<TopicName, EncodedMessage[]> {
  const byTopic = new Map<TopicName, EncodedMessage[]>();
  for (const outgoing of batch) {
    const messages = byTopic.get(outgoing.topic) ?? [];
    messages.push({ key: outgoing.key, value: encodeEvent(outgoing, validate) });
    byTopic.set(outgoing.topic, messages);
  }
  return byTopic;
}

function toUnavailable(reason: unknown): AppError {
  if (reason instanceof AppError) return reason;
  const internalMessage = reason instanceof Error ? reason.message : String(reason);
  return busUnavailable(`kafka: ${internalMessage}`, reason);
}
