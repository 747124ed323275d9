import { TOPIC_NAMES } from '../topics';
import { createKafkaClient, type KafkaConnectionOptions } from './create-kafka-client';

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
    const { brokers } = await admin.describeCluster();
    const present = await admin.listTopics();
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
