import { type Clock, EventKeysRefused } from '@tollgate/core';
import type { ICustomPartitioner, Kafka, PartitionMetadata, Producer } from 'kafkajs';
import { encodeEvent } from '../codec';
import {
  busUnavailable,
  type EventBusObserver,
  type EventToPublish,
  RETRY_AFTER_MS,
} from '../event-bus';
import type { TopicName } from '../topics';
import { loadKafka, PUBLISH_METADATA_MAX_AGE_MS, PUBLISH_RETRY } from './create-kafka-client';
import { acceptLeaderlessPartitions } from './leaderless-partitions';
import { createPartitionedSend } from './partitioned-send';
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
}

/** The publishing half of the Kafka bus. */
export interface KafkaPublisher {
  publish(batch: readonly EventToPublish[], timeoutMs: number): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Creates a publisher; it connects with the first event. */
export function createKafkaPublisher(options: KafkaPublisherOptions): KafkaPublisher {
  const { clock, observer, pendingMessagesMax } = options;
  const partitions = createPartitions();
  const producer = createConnectedProducer(options.kafka, partitions.createPartitioner);
  const senders = new Map<TopicName, TopicSender>();

  const partitionOf = (topic: TopicName, key: string) =>
    partitions.find(options.brokerTopic(topic), key);

  /**
   * When the leader of a partition moves while kafkajs 2.2.4 tries a request again, and moves to a
   * broker that has taken its part already, kafkajs resolves without a word of that partition. A
   * key's partition is looked up before the request, because the topic may have more after it.
   */
  const send = async (topic: TopicName, messages: readonly EncodedMessage[]): Promise<void> => {
    const connected = await producer.get();
    const topicMessages = [{ topic: options.brokerTopic(topic), messages: [...messages] }];
    const placed = messages.map(({ key }) => partitionOf(topic, key));
    const answers = await acceptLeaderlessPartitions(() =>
      connected.sendBatch({ acks: -1, topicMessages }),
    );
    const answered = new Set<number | undefined>(answers.map(({ partition }) => partition));
    const unsent = messages.filter(
      ({ key }, index) => !answered.has(placed[index] ?? partitionOf(topic, key)),
    );
    if (unsent.length === messages.length) throw new Error('no broker took any of the messages');
    if (unsent.length > 0) await send(topic, unsent);
  };

  const partitioned = createPartitionedSend({ clock, send, partitionOf });

  const senderOf = (topic: TopicName): TopicSender => {
    const sender = senders.get(topic) ?? createTopicSender(topic, FLUSH_BOUNDS, partitioned.send);
    senders.set(topic, sender);
    return sender;
  };

  const idle = async () => {
    await Promise.all([partitioned, ...senders.values()].map((sending) => sending.idle()));
  };

  async function accept(batch: readonly EventToPublish[], timeoutMs: number): Promise<void> {
    const byTopic = groupByTopic(batch);
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
      if (outcomes.some(({ status }) => status === 'rejected')) throw late;
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' ? [...outcome.value] : [],
      );
      if (refused.length > 0) throw toEventKeysRefused(refused);
    } finally {
      timer.cancel();
    }
  }

  return {
    async publish(batch, timeoutMs) {
      const report = (isRefused: (key: string) => boolean) => {
        for (const { topic, key } of batch) {
          observer[isRefused(key) ? 'publishFailed' : 'published'](topic, 1);
        }
      };
      try {
        await accept(batch, timeoutMs);
        report(() => false);
      } catch (error) {
        report((key) => !(error instanceof EventKeysRefused) || error.keys.has(key));
        throw error;
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

/** The partitioner of kafkajs, which remembers the partitions that it chose among. */
function createPartitions() {
  // Named, because kafkajs warns of a change of its default otherwise. This one is Java's.
  const choose = loadKafka().Partitioners.DefaultPartitioner();
  const seen = new Map<string, PartitionMetadata[]>();
  const createPartitioner: ICustomPartitioner = () => (args) => {
    seen.set(args.topic, args.partitionMetadata);
    return choose(args);
  };
  return {
    createPartitioner,
    /** The partition of a key; undefined before the first message of the topic. */
    find(topic: string, key: string): number | undefined {
      const partitionMetadata = seen.get(topic);
      return (
        partitionMetadata && choose({ topic, partitionMetadata, message: { key, value: null } })
      );
    },
  };
}

/** One producer, connected at its first use and again after a failed attempt. */
function createConnectedProducer(
  kafka: Kafka,
  createPartitioner: ICustomPartitioner,
): ConnectedProducer {
  const producer = kafka.producer({
    createPartitioner,
    allowAutoTopicCreation: false,
    metadataMaxAge: PUBLISH_METADATA_MAX_AGE_MS,
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

function groupByTopic(batch: readonly EventToPublish[]): ReadonlyMap<TopicName, EncodedMessage[]> {
  const byTopic = new Map<TopicName, EncodedMessage[]>();
  for (const outgoing of batch) {
    const messages = byTopic.get(outgoing.topic) ?? [];
    messages.push({ key: outgoing.key, value: encodeEvent(outgoing, false) });
    byTopic.set(outgoing.topic, messages);
  }
  return byTopic;
}

function toEventKeysRefused(
  refused: readonly (readonly [key: string, reason: Error])[],
): EventKeysRefused {
  const [first] = refused;
  return new EventKeysRefused(new Set(refused.map(([key]) => key)), {
    internalMessage: `kafka: ${first?.[1].message}`,
    retryAfterMs: RETRY_AFTER_MS,
    cause: first?.[1],
  });
}
