import type { MongoStore } from '@tollgate/mongo';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { applyRetention, readKeptSince } from './retention';

const DAY_SECONDS = 86_400;
const BUILDING = ['createIndexes', 'dropIndexes'];

let server: TestStore;
let mongo: MongoStore;

beforeEach(async () => {
  server = await openTestStore();
  ({ mongo } = await server.openDatabase());
});

afterEach(async () => {
  await mongo.close();
  await server.close();
});

async function expiryOfMinutes(): Promise<unknown> {
  const indexes = await mongo.connection.collection('usage_figures').indexes();
  return indexes.find(({ name }) => name === 'expire_minute')?.expireAfterSeconds;
}

test('a changed retention builds no index anew', async () => {
  const built = server.commands(BUILDING);
  await applyRetention(mongo, { minute: 30, hour: 400 }, 0);
  expect(await expiryOfMinutes()).toBe(30 * DAY_SECONDS);
  await applyRetention(mongo, { minute: 3, hour: 400 }, 0);
  expect(await expiryOfMinutes()).toBe(3 * DAY_SECONDS);
  expect(server.commands(BUILDING) - built).toBe(0);
});

test('an index that is missing is built on a connection without a time-out', async () => {
  await mongo.connection.collection('usage_figures').dropIndex('expire_minute');
  const withoutTimeout = jest.spyOn(mongo, 'withoutTimeout');
  await applyRetention(mongo, { minute: 7, hour: 400 }, 0);
  expect(await expiryOfMinutes()).toBe(7 * DAY_SECONDS);
  expect(withoutTimeout).toHaveBeenCalledTimes(1);
});

test('a retention that stands already needs no other connection', async () => {
  const withoutTimeout = jest.spyOn(mongo, 'withoutTimeout');
  await applyRetention(mongo, { minute: 7, hour: 400 }, 0);
  expect(withoutTimeout).not.toHaveBeenCalled();
});

test('a replica that runs reads what another one threw away meanwhile', async () => {
  await applyRetention(mongo, { minute: 7, hour: 400 }, 0);
  expect(await readKeptSince(mongo)).toEqual({ minute: 0, hour: 0 });
  const now = 100 * DAY_SECONDS * 1_000;
  for (const minute of [3, 30]) await applyRetention(mongo, { minute, hour: 400 }, now);
  expect(await readKeptSince(mongo)).toEqual({ minute: now - 3 * DAY_SECONDS * 1_000, hour: 0 });
});
