interface Topic {
  readonly partitionMetadata: readonly { readonly partitionErrorCode: number }[];
}

interface MetadataResponse {
  parse(answer: { readonly topicMetadata: readonly Topic[] }): Promise<unknown>;
}

const LEADER_NOT_AVAILABLE = 5;

let isAccepted = false;

/**
 * kafkajs 2.2.4 rejects what a broker tells of all topics while one partition of them has no leader:
 * a client that starts then sends nothing to any partition, and one that runs stops when its
 * metadata are five minutes old. With this the partition counts as one without a leader, whose
 * messages kafkajs does not get sent, and the others go on. Brokers since 2.0 answer in this form.
 */
export function acceptLeaderlessPartitions(): void {
  if (isAccepted) return;
  isAccepted = true;
  // As in `correctRequestQueueTimer`, what kafkajs keeps inside is reached by its file.
  const response =
    require('kafkajs/src/protocol/requests/metadata/v6/response') as MetadataResponse;
  const { parse } = response;
  if (typeof parse !== 'function') return;
  response.parse = (answer) =>
    parse({ ...answer, topicMetadata: answer.topicMetadata.map(withoutLeaderErrors) });
}

function withoutLeaderErrors(topic: Topic): Topic {
  const partitionMetadata = topic.partitionMetadata.map((partition) =>
    partition.partitionErrorCode === LEADER_NOT_AVAILABLE
      ? { ...partition, partitionErrorCode: 0 }
      : partition,
  );
  return { ...topic, partitionMetadata };
}
