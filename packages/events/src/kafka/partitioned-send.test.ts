import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import { createPartitionedSend } from './partitioned-send';

const TOPIC = 'tollgate.ledger.v1';
const LEFT_ALONE_MS = 1_000;

let clock: FakeClock;
/** The keys of each request, whether it was taken or not. */
let requests: string[];
let isDead: (partition: string) => boolean;
let isKnown: boolean;
let partitioned: ReturnType<typeof createPartitionedSend>;

beforeEach(() => {
  clock = createFakeClock();
  requests = [];
  isDead = () => false;
  isKnown = true;
  partitioned = createPartitionedSend({
    clock,
    async send(_topic, messages) {
      requests.push(messages.map(({ key }) => key).join());
      if (messages.some(({ key }) => isDead(key.charAt(0)))) throw new Error('no leader');
    },
    // The partition is the first character of the key.
    partitionOf: (_topic, key) => (isKnown ? Number(key.charAt(0)) : undefined),
  });
});

async function refusedOf(...keys: readonly string[]): Promise<readonly string[]> {
  const refused = await partitioned.send(
    TOPIC,
    keys.map((key) => ({ key, value: Buffer.alloc(1) })),
  );
  return [...refused.keys()];
}

test('one request takes the messages of all partitions while each takes what it gets', async () => {
  expect(await refusedOf('1a', '2a', '1b')).toEqual([]);
  expect(requests).toEqual(['1a,2a,1b']);
});

test('a partition that takes nothing refuses its own keys, and the others are sent', async () => {
  isDead = (partition) => partition === '2';
  expect(await refusedOf('1a', '2a', '3a', '2b')).toEqual(['2a', '2b']);
  expect(requests).toEqual(['1a,2a,3a,2b', '1a', '2a,2b', '3a']);
});

test('a partition that took nothing is left out of requests, and tried when it is due', async () => {
  isDead = (partition) => partition === '2';
  await refusedOf('1a', '2a');
  requests = [];
  expect(await refusedOf('1a', '2a')).toEqual(['2a']);
  expect(requests).toEqual(['1a']);
  await clock.advance(LEFT_ALONE_MS);
  requests = [];
  expect(await refusedOf('1a', '2a')).toEqual(['2a']);
  await partitioned.idle();
  expect(requests).toEqual(['2a', '1a']);
});

test('a partition that takes messages again is sent to again', async () => {
  isDead = (partition) => partition === '2';
  await refusedOf('1a', '2a');
  isDead = () => false;
  await clock.advance(LEFT_ALONE_MS);
  await refusedOf('2a');
  await partitioned.idle();
  requests = [];
  expect(await refusedOf('1a', '2a')).toEqual([]);
  expect(requests).toEqual(['1a,2a']);
});

test('nobody waits for a partition that is being tried, and nothing overtakes the trial', async () => {
  let end = (_error: Error): void => undefined;
  const waiting = createPartitionedSend({
    clock,
    send: () => new Promise((_resolve, reject) => (end = reject)),
    partitionOf: () => 2,
  });
  const message = { key: '2a', value: Buffer.alloc(1) };
  const first = waiting.send(TOPIC, [message]);
  // Together, and then alone.
  end(new Error('no leader'));
  await settlePromises();
  end(new Error('no leader'));
  await first;
  await clock.advance(LEFT_ALONE_MS);
  end = () => undefined;
  expect([...(await waiting.send(TOPIC, [message])).keys()]).toEqual(['2a']);
  const endTrial = end;
  end = () => undefined;
  await clock.advance(LEFT_ALONE_MS);
  expect([...(await waiting.send(TOPIC, [message])).keys()]).toEqual(['2a']);
  endTrial(new Error('no leader'));
  await waiting.idle();
});

test('while no broker has told the partitions, all of a failed request is refused', async () => {
  isKnown = false;
  isDead = () => true;
  expect(await refusedOf('1a', '2a')).toEqual(['1a', '2a']);
  expect(requests).toEqual(['1a,2a']);
  isDead = () => false;
  expect(await refusedOf('1a', '2a')).toEqual([]);
});

test('what was refused is told also when the topic gets more partitions meanwhile', async () => {
  let partitions = 2;
  const growing = createPartitionedSend({
    clock,
    async send() {
      partitions = 4;
      throw new Error('no leader');
    },
    partitionOf: (_topic, key) => key.length % partitions,
  });
  const message = { key: 'key', value: Buffer.alloc(1) };
  expect([...(await growing.send(TOPIC, [message])).keys()]).toEqual(['key']);
});
