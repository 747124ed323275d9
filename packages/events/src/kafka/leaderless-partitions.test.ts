import { acceptLeaderlessPartitions, hideLeaderlessPartitions } from './leaderless-partitions';

// What kafkajs does with the answer of a broker, by the same path.
const { protocol } = require('kafkajs/src/protocol/requests/metadata') as {
  protocol(options: { version: number }): (request: object) => {
    response: { parse(answer: object): Promise<unknown> };
  };
};

function parse(partitionErrorCode: number) {
  const { response } = protocol({ version: 6 })({ topics: [] });
  const partitions = [
    { partitionId: 0, leader: 1, partitionErrorCode: 0 },
    { partitionId: 1, leader: -1, partitionErrorCode },
  ];
  const topic = { topic: 'events', topicErrorCode: 0, partitionMetadata: partitions };
  return response.parse({ topicMetadata: [topic] });
}

describe('what kafkajs learns of the partitions of a topic', () => {
  it('includes those that have a leader while another has none', async () => {
    const leaders = [
      expect.objectContaining({ leader: 1 }),
      expect.objectContaining({ leader: -1 }),
    ];
    const parsed = await acceptLeaderlessPartitions(() => parse(5));
    expect(parsed).toMatchObject({ topicMetadata: [{ partitionMetadata: leaders }] });
  });

  it('is for a consumer that the other one does not exist', async () => {
    const parsed = await hideLeaderlessPartitions(() => parse(5));
    const only = [expect.objectContaining({ leader: 1 })];
    expect(parsed).toMatchObject({ topicMetadata: [{ partitionMetadata: only }] });
  });

  it('is of each work for itself, also of one within another', async () => {
    const parsed = await hideLeaderlessPartitions(() => acceptLeaderlessPartitions(() => parse(5)));
    expect(parsed).toMatchObject({ topicMetadata: [{ partitionMetadata: { length: 2 } }] });
  });

  it('is rejected for any other fault', async () => {
    const parsed = acceptLeaderlessPartitions(() => parse(3));
    await expect(parsed).rejects.toMatchObject({ type: 'UNKNOWN_TOPIC_OR_PARTITION' });
  });

  it('is rejected outside of such work, after which nothing differs', async () => {
    await acceptLeaderlessPartitions(() => parse(5));
    await expect(parse(5)).rejects.toMatchObject({ type: 'LEADER_NOT_AVAILABLE' });
  });
});

it('a consumer that asks for the first offsets of a topic hears of all topics that it named', async () => {
  await hideLeaderlessPartitions(() => parse(5));
  const { prototype } = require('kafkajs/src/cluster') as {
    prototype: { fetchTopicsOffset(topics: readonly object[]): Promise<readonly object[]> };
  };
  const cluster = { findLeaderForPartitions: () => ({}), defaultOffset: () => -2 };
  const topics = [{ topic: 'events', partitions: [{ partition: 1 }], fromBeginning: true }];
  const offsets = await prototype.fetchTopicsOffset.call(cluster, topics);
  expect(offsets).toEqual([{ topic: 'events', partitions: [] }]);
});
