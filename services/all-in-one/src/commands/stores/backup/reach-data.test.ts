import { silentLogger } from '@tollgate/core';
import { createJobLeaseStore, type MongoStore, openMongo } from '@tollgate/mongo';
import { createFakeClock, createTestMongo, type FakeClock } from '@tollgate/testkit';
import { createCommandHost } from '../command-host';
import { reachData } from './reach-data';

let server: Awaited<ReturnType<typeof createTestMongo>>;
let store: MongoStore;
let clock: FakeClock;
let progress: string[];

beforeEach(async () => {
  server = await createTestMongo();
  store = openMongo({ uri: server.uriFor('one'), appName: 'test', logger: silentLogger });
  await store.connect();
  clock = createFakeClock();
  progress = [];
});

afterEach(async () => {
  await store.close();
  await server.close();
});

/** The lease of a leader, which says something of itself three times per `ttlMs`. */
async function takeLease(ttlMs: number) {
  const leases = createJobLeaseStore(store);
  const row = { replica: 'rep_1', fence: 1n, beat: 1n, ttlMs };
  await leases.take('billing-jobs', row, undefined);
  return { beat: () => leases.beat('billing-jobs', 'rep_1') };
}

/** Why the store is not reached, or `reached`. */
async function reach(): Promise<string> {
  const environment = { MONGODB_URI: server.uriFor('one'), LOG_LEVEL: 'error' };
  try {
    const reached = await reachData({
      environment,
      host: { ...createCommandHost('backup', environment), clock },
      whileRunning: false,
      mayCreate: false,
      remedy: 'stop it',
      progress: (sentence) => void progress.push(sentence),
    });
    await reached.close();
    return 'reached';
  } catch (error) {
    return String(error);
  }
}

test('a product whose leaders may be silent for a minute is seen to run', async () => {
  const lease = await takeLease(60_000);
  const reached = reach();
  await clock.untilNextTimer();
  await clock.advance(20_000);
  await lease.beat();
  await clock.advance(1_000);
  expect(await reached).toContain('services run on this store (billing-jobs): stop it');
  expect(progress).toEqual([expect.stringContaining('waits 21 s for a sign of life')]);
});

test('a leader that was killed is waited for as long as it could be silent, and no longer', async () => {
  await takeLease(15_000);
  const reached = reach();
  expect(await clock.untilNextTimer()).toBe(6_000);
  await clock.advance(6_000);
  expect(await reached).toBe('reached');
  expect(progress).toEqual([]);
});
