import { DAY_MS } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import type { Granularity } from '../domain/bucket';
import type { DenialStore, DeniedRequests } from '../domain/ports';
import { denialsOf, START_MS } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createAddDenials, keepDenials } from './add-denials';

let server: TestStore;
let mongo: MongoStore;
let denialStore: DenialStore;
let clock: FakeClock;

beforeAll(async () => {
  server = await openTestStore();
});

afterAll(() => server.close());

beforeEach(async () => {
  clock = createFakeClock();
  ({ mongo, denialStore } = await server.openDatabase());
});

afterEach(() => mongo.close());

async function denied(
  granularity: Granularity = 'hour',
  keyIds: readonly string[] = [],
  accountIds: readonly string[] = ['acc_1'],
): Promise<readonly DeniedRequests[]> {
  const range = { startMs: START_MS - DAY_MS, endMs: START_MS + DAY_MS, granularity };
  const found: DeniedRequests[] = [];
  const filter = { ...range, accountIds, models: [], keyIds };
  for await (const each of denialStore.read(filter)) found.push(each);
  return found;
}

const total = async (...of: Parameters<typeof denied>) =>
  (await denied(...of)).reduce((sum, { count }) => sum + count, 0);

test('denials are counted once however often they are delivered', async () => {
  const first = denialsOf({ count: 7 });
  const later = denialsOf({ id: 'evt_2', count: 2 });
  await keepDenials(denialStore, [first]);
  await keepDenials(denialStore, [first, later, later]);
  await keepDenials(denialStore, [first, later]);
  expect(await total()).toBe(9);
});

test('what one gateway counted does not hide what another counted before', async () => {
  const ofTwo = [denialsOf({ id: 'evt_2', count: 1 }), denialsOf({ gatewayId: 'gtw_2', count: 2 })];
  await keepDenials(denialStore, ofTwo);
  // Two consumers, as while partitions move from one to the other.
  await Promise.all(
    ofTwo.map((one) => keepDenials(denialStore, [one, { ...one, id: 'evt_3', count: 4 }])),
  );
  expect(await total()).toBe(1 + 2 + 4 + 4);
});

test('however many keys of an account are denied, its buckets are three documents of fifty keys', async () => {
  for (const hundred of [0, 1, 2]) {
    const ofKeys = Array.from({ length: 100 }, (_, index) => {
      const number = 1000 + 100 * hundred + index;
      return denialsOf({ id: `evt_${number}`, keyId: `key_${number}` });
    });
    await keepDenials(denialStore, ofKeys);
    await keepDenials(denialStore, ofKeys);
  }
  type Stored = { granularity: string; counts: unknown[]; newest: unknown[] };
  const stored = await mongo.connection.collection<Stored>('denial_buckets').find({}).toArray();
  expect(stored.map((bucket) => bucket.granularity).sort()).toEqual(['day', 'hour', 'minute']);
  for (const { counts, newest } of stored) expect([counts.length, newest.length]).toEqual([51, 1]);
  for (const granularity of ['minute', 'hour', 'day'] as const) {
    expect(await total(granularity)).toBe(300);
    expect(await total(granularity, ['key_1001'])).toBe(1);
  }
});

test('what a damaged bucket does not say is not counted, and an answer has the others', async () => {
  await keepDenials(denialStore, [denialsOf({ count: 7 })]);
  await keepDenials(denialStore, [denialsOf({ accountId: 'acc_2', count: 2 })]);
  const buckets = mongo.connection.collection('denial_buckets');
  const damage = (update: object) => buckets.updateMany({ accountId: 'acc_1' }, update);
  await damage({ $set: { revision: 'many' } });
  expect(await total('hour', [], [])).toBe(9);
  await damage({ $set: { counts: [{ keyId: 'key_1', count: 'many' }] } });
  expect(await total('hour', [], [])).toBe(2);
  await damage({ $unset: { counts: 1 } });
  expect(await total('hour', [], [])).toBe(2);
});

test('denials that come together are kept with two store commands', async () => {
  const control = { signal: new AbortController().signal, isPart: false };
  const grouping = { denialStore, clock, lingerMs: 1000, batchDenialsMax: 100 };
  const addDenials = createAddDenials(grouping);
  await addDenials([denialsOf()], control);
  const before = server.commands();
  const calls = Array.from({ length: 20 }, (_, index) =>
    addDenials([denialsOf(), denialsOf({ id: `evt_1${index + 10}` })], control),
  );
  await clock.advance(1000);
  await Promise.all(calls);
  expect(server.commands() - before).toBe(2);
  expect(await total()).toBe(21);
});

test('a call whose denials can be kept is not failed by the damaged bucket of another account', async () => {
  await keepDenials(denialStore, [denialsOf()]);
  const buckets = mongo.connection.collection('denial_buckets');
  await buckets.updateMany({}, { $set: { revision: 'many' } });
  const control = { signal: new AbortController().signal, isPart: false };
  const grouping = { denialStore, clock, lingerMs: 1000, batchDenialsMax: 100 };
  const addDenials = createAddDenials(grouping);
  await addDenials([denialsOf({ accountId: 'acc_2' })], control);
  const later = { id: 'evt_2', count: 2 };
  const calls = Promise.allSettled([
    addDenials([denialsOf(later)], control),
    addDenials([denialsOf({ ...later, accountId: 'acc_2' })], control),
  ]);
  await clock.advance(1000);
  expect(await calls).toMatchObject([
    { status: 'rejected', reason: { code: 'INTERNAL_ERROR' } },
    { status: 'fulfilled' },
  ]);
  expect(await total('hour', [], ['acc_2'])).toBe(3);
});
