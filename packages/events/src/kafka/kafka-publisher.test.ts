import { createSystemClock } from '@tollgate/core';
import type { Kafka, ProducerBatch, ProducerConfig, RecordMetadata } from 'kafkajs';
import { silentObserver } from '../event-bus';
import { usageOf } from '../testing/events';
import { createKafkaPublisher } from './kafka-publisher';

const clock = createSystemClock();
const PARTITIONS = [0, 1, 2];
const KEYS = Array.from({ length: 12 }, (_value, index) => `acc_${index}`);

interface ProduceRequest {
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly messages: readonly { readonly key: string }[];
    }[];
  }[];
}

let metadataMaxAge: number | undefined;
let leaders: number[];
/** The keys that a broker has taken. */
let taken: string[];
/** Called before a broker takes what it was sent; what it throws is the broker's answer. */
let onProduce: (nodeId: number) => void;

beforeEach(() => {
  leaders = [0, 1, 2];
  taken = [];
  onProduce = () => undefined;
});

function produce(nodeId: number, { topicData }: ProduceRequest) {
  onProduce(nodeId);
  const partitions = topicData.flatMap((topic) => topic.partitions);
  taken.push(...partitions.flatMap(({ messages }) => messages.map(({ key }) => key)));
  return {
    topics: topicData.map(({ topic, partitions: some }) => ({
      topicName: topic,
      partitions: some.map(({ partition }) => ({ partition, errorCode: 0 })),
    })),
  };
}

/** The brokers as kafkajs sees them; its view of the leaders is renewed when it asks for that. */
function createCluster() {
  const brokers = PARTITIONS.map((nodeId) => ({
    nodeId,
    produce: async (request: ProduceRequest) => produce(nodeId, request),
  }));
  let seen = [...leaders];
  return {
    addMultipleTargetTopics: async () => undefined,
    refreshMetadataIfNecessary: async () => undefined,
    async refreshMetadata() {
      seen = [...leaders];
    },
    isConnected: () => true,
    findBroker: async ({ nodeId }: { nodeId: string }) => brokers[Number(nodeId)],
    findTopicPartitionMetadata: () =>
      PARTITIONS.map((partitionId) => ({ partitionId, leader: seen[partitionId] })),
    findLeaderForPartitions: (_topic: string, partitions: readonly string[]) =>
      Object.groupBy(partitions.map(Number), (partition) => seen[partition] ?? -1),
  };
}

/** A client whose producer has the very loop of kafkajs that sends and tries again. */
function createKafka(): Kafka {
  const createRetry = require('kafkajs/src/retry') as (options: object) => unknown;
  const createSend = require('kafkajs/src/producer/sendMessages') as (
    parts: object,
  ) => (batch: ProducerBatch) => Promise<RecordMetadata[]>;
  const nothing = () => undefined;
  const eosManager = {
    acquireBrokerLock: nothing,
    releaseBrokerLock: nothing,
    isTransactional: () => false,
    getSequence: nothing,
    updateSequence: nothing,
    getProducerId: nothing,
    getProducerEpoch: nothing,
  };
  const producer = (config: ProducerConfig) => {
    ({ metadataMaxAge } = config);
    return {
      connect: async () => undefined,
      disconnect: async () => undefined,
      sendBatch: createSend({
        logger: { debug: nothing, error: nothing },
        cluster: createCluster(),
        partitioner: config.createPartitioner?.(),
        eosManager,
        retrier: createRetry({ initialRetryTime: 1, maxRetryTime: 2, retries: 5 }),
      }),
    };
  };
  return { producer } as unknown as Kafka;
}

const createPublisher = () =>
  createKafkaPublisher({
    kafka: createKafka(),
    clock,
    observer: silentObserver,
    brokerTopic: (topic) => topic,
    pendingMessagesMax: 100,
  });

test('a partition that moves to a broker which has answered already loses no message', async () => {
  const { KafkaJSProtocolError } = require('kafkajs') as typeof import('kafkajs');
  const publisher = createPublisher();
  // Broker 2 stops in order: it leads no more, and says so.
  leaders = [0, 1, 1];
  onProduce = (nodeId) => {
    if (nodeId !== 2) return;
    const type = 'NOT_LEADER_FOR_PARTITION';
    throw new KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable: true }));
  };
  const batch = KEYS.map((key) => usageOf(clock, key, 1));
  await publisher.publish(batch, 10_000);
  expect(taken.toSorted()).toEqual(KEYS.toSorted());
});

test('what is known of leaders is too old when a request that was not answered is tried again', () => {
  createPublisher();
  const requestTimeoutMs = 10_000;
  expect(metadataMaxAge).toBeLessThan(requestTimeoutMs);
});
