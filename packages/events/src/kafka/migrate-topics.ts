import { type Clock, delay } from '@tollgate/core';
import type { Admin, ITopicConfig, ITopicMetadata } from 'kafkajs';
import { TOPIC_NAMES, TOPICS, type TopicName } from '../topics';
import { createKafkaClient, type KafkaConnectionOptions } from './create-kafka-client';
import { acceptLeaderlessPartitions } from './leaderless-partitions';

const CREATE_TIMEOUT_MS = 30_000;
const LEADER_CHECK_INTERVAL_MS = 100;

export interface MigrateTopicsOptions extends KafkaConnectionOptions {
  readonly clock: Clock;
  /** Copies of each message, at most the number of brokers. */
  readonly replicationFactor: number;
  /** Partitions of each new topic: the most members of a group that can share its work. */
  readonly partitions: number;
  /** As for the bus. */
  readonly prefix?: string;
}

/** The changes that the migration made. */
export interface TopicMigration {
  readonly created: readonly string[];
  readonly present: readonly string[];
}

/**
 * Creates the topics that are missing; safe to run again and from several places at once. Topics
 * that exist are left as they are: adding partitions would move keys and break their order, which
 * is for an operator to decide in a quiet hour.
 */
export function migrateTopics(options: MigrateTopicsOptions): Promise<TopicMigration> {
  return acceptLeaderlessPartitions(() => createMissingTopics(options));
}

async function createMissingTopics(options: MigrateTopicsOptions): Promise<TopicMigration> {
  const { logger, partitions, prefix = '' } = options;
  const admin = createKafkaClient(options).admin();
  await admin.connect();
  try {
    const names = new Map(TOPIC_NAMES.map((topic) => [`${prefix}${topic}`, topic]));
    const present = (await admin.listTopics()).filter((name) => names.has(name));
    for (const { name, partitions: found } of await readTopics(admin, present)) {
      if (found.length === partitions) continue;
      const fields = { topic: name, partitions: found.length, wanted: partitions };
      logger.warn(fields, 'a topic has another number of partitions than configured');
    }
    const missing = [...names].filter(([name]) => !present.includes(name));
    const topics = missing.map(([name, topic]) => toTopicConfig(name, topic, options));
    if (topics.length > 0) {
      await admin.createTopics({ topics, waitForLeaders: false, timeout: CREATE_TIMEOUT_MS });
    }
    const created = topics.map(({ topic }) => topic);
    await untilLed(admin, created, options.clock);
    logger.info({ created, present }, 'the event topics are in place');
    return { created, present };
  } finally {
    await admin.disconnect();
  }
}

/**
 * Waits until every partition has a leader, so that whoever starts after this can publish. Not by
 * kafkajs, which gives up when a broker has not yet heard of the topic that another one created.
 */
async function untilLed(admin: Admin, names: string[], clock: Clock): Promise<void> {
  const untilMonotonicMs = clock.monotonicMs() + CREATE_TIMEOUT_MS;
  for (;;) {
    try {
      const topics = await readTopics(admin, names);
      if (topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
    } catch (error) {
      if (clock.monotonicMs() >= untilMonotonicMs) throw error;
    }
    if (clock.monotonicMs() >= untilMonotonicMs) throw new Error('the new topics have no leaders');
    await delay(clock, LEADER_CHECK_INTERVAL_MS);
  }
}

// Asked with an empty list, Kafka answers with every topic it has.
async function readTopics(admin: Admin, names: string[]): Promise<readonly ITopicMetadata[]> {
  if (names.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  return topics;
}

function toTopicConfig(
  name: string,
  topic: TopicName,
  { partitions, replicationFactor }: MigrateTopicsOptions,
): ITopicConfig {
  // With three copies or more an acknowledged event survives the loss of a broker at any moment.
  const inSyncMin = replicationFactor >= 3 ? 2 : 1;
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor,
    configEntries: [
      { name: 'cleanup.policy', value: 'delete' },
      { name: 'retention.ms', value: String(TOPICS[topic].retentionMs) },
      { name: 'min.insync.replicas', value: String(inSyncMin) },
    ],
  };
}
