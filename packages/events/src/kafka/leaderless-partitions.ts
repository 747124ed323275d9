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

const LEADER_NOT_AVAILABLE = 5;

const isAccepting = new AsyncLocalStorage<true>();
let isInstalled = false;

/**
 * Does work that goes on while some partitions have no leader: sending, and looking at topics.
 * kafkajs 2.2.4 rejects what a broker tells of all topics while one partition of them has none: a
 * client that starts then sends nothing to any partition, and one that runs stops when its metadata
 * are five minutes old.
 * Within the work such a partition counts as one without a leader, whose messages kafkajs does not
 * get sent, and the others go on. Brokers since 2.0 answer in this form.
 *
 * Not for consumers, which wait until each partition has one: they would fetch nothing of such a
 * partition, and would not ask again before their metadata are old.
 */
export function acceptLeaderlessPartitions<T>(work: () => Promise<T>): Promise<T> {
  if (!isInstalled) install();
  return isAccepting.run(true, work);
}

function install(): void {
  isInstalled = true;
  // As in `correctRequestQueueTimer`, what kafkajs keeps inside is reached by its file.
  const response =
    require('kafkajs/src/protocol/requests/metadata/v6/response') as MetadataResponse;
  const { parse } = response;
  if (typeof parse !== 'function') return;
  // It is called where the request was made, as a step of the same work.
  response.parse = (answer) => parse(isAccepting.getStore() ? withoutLeaderErrors(answer) : answer);
}

function withoutLeaderErrors({ topicMetadata, ...rest }: MetadataAnswer): MetadataAnswer {
  const withLeaders = (topic: Topic): Topic => ({
    ...topic,
    partitionMetadata: topic.partitionMetadata.map((partition) =>
      partition.partitionErrorCode === LEADER_NOT_AVAILABLE
        ? { ...partition, partitionErrorCode: 0 }
        : partition,
    ),
  });
  return { ...rest, topicMetadata: topicMetadata.map(withLeaders) };
}
