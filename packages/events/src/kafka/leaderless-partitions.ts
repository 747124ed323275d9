import { AsyncLocalStorage } from 'node:async_hooks';

interface Topic {
  readonly partitionMetadata: readonly { readonly partitionErrorCode: number }[];
}

interface MetadataAnswer {
  readonly topicMetadata: readonly Topic[];
}

interface MetadataResponse {
  parse(answer: MetadataAnswer): Promise<unknown>;
}

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly object[];
}

interface Cluster {
  fetchTopicsOffset(topics: readonly TopicOffsets[]): Promise<readonly TopicOffsets[]>;
}

const LEADER_NOT_AVAILABLE = 5;

const mode = new AsyncLocalStorage<'accept' | 'hide'>();
let isInstalled = false;

/**
 * Does work that goes on while some partitions have no leader: sending, and looking at topics.
 * kafkajs 2.2.4 rejects what a broker tells of all topics while one partition of them has none: a
 * client that starts then reaches no partition, and one that runs stops when its metadata are old.
 * Within the work such a partition counts as one without a leader, whose messages kafkajs does not
 * get sent, and the others go on. Brokers since 2.0 answer in this form.
 */
export function acceptLeaderlessPartitions<T>(work: () => Promise<T>): Promise<T> {
  return run('accept', work);
}

/**
 * The same for a consumer, for which a partition without a leader does not exist: its group shares
 * out the others, and shares out all of them again once renewed metadata show a leader.
 */
export function hideLeaderlessPartitions<T>(work: () => Promise<T>): Promise<T> {
  return run('hide', work);
}

function run<T>(as: 'accept' | 'hide', work: () => Promise<T>): Promise<T> {
  if (!isInstalled) install();
  return mode.run(as, work);
}

// As in `correctRequestQueueTimer`, what kafkajs keeps inside is reached by its files. Both are
// called where the request was made, as a step of the same work.
function install(): void {
  isInstalled = true;
  const response =
    require('kafkajs/src/protocol/requests/metadata/v6/response') as MetadataResponse;
  const { prototype: cluster } = require('kafkajs/src/cluster') as { prototype: Cluster };
  const { parse } = response;
  const { fetchTopicsOffset } = cluster;
  if (typeof parse !== 'function' || typeof fetchTopicsOffset !== 'function') return;
  response.parse = (answer) => parse(withoutLeaderErrors(answer));
  // A consumer that is given a partition before its leader goes asks for its first offset in vain,
  // and would crash for good over a topic of which no partition was answered for.
  cluster.fetchTopicsOffset = async function fetchOffsets(topics) {
    const found = await fetchTopicsOffset.call(this, topics);
    const missing = topics.filter(({ topic }) => found.every((other) => other.topic !== topic));
    return [...found, ...missing.map(({ topic }) => ({ topic, partitions: [] }))];
  };
}

function withoutLeaderErrors(answer: MetadataAnswer): MetadataAnswer {
  const as = mode.getStore();
  if (as === undefined) return answer;
  const withLeaders = ({ partitionMetadata, ...topic }: Topic): Topic => ({
    ...topic,
    partitionMetadata: partitionMetadata.flatMap((partition) => {
      if (partition.partitionErrorCode !== LEADER_NOT_AVAILABLE) return [partition];
      return as === 'hide' ? [] : [{ ...partition, partitionErrorCode: 0 }];
    }),
  });
  return { ...answer, topicMetadata: answer.topicMetadata.map(withLeaders) };
}
