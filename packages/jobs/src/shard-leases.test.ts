import { silentLogger } from '@tollgate/core';
import {
  createFakeClock,
  createMemoryJobLeaseStore,
  describeJobLeaseStore,
  type FakeClock,
} from '@tollgate/testkit';
import { createShardLeases, type JobLeaseStore, type ShardTerm, shardOf } from './index';

describeJobLeaseStore('the memory', async () => createMemoryJobLeaseStore());

const TTL_MS = 3000;
let store: JobLeaseStore;
let clock: FakeClock;
let stops: (() => Promise<void>)[];

beforeEach(() => {
  store = createMemoryJobLeaseStore();
  clock = createFakeClock();
  stops = [];
});

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

function replica(name: string, shards: number, ownStore: JobLeaseStore = store, own = clock) {
  const leases = createShardLeases({
    ...{ store: ownStore, group: 'work', shards, replica: name, ttlMs: TTL_MS },
    ...{ clock: own, logger: silentLogger },
  });
  const terms: ShardTerm[] = [];
  leases.start((term) => {
    terms.push(term);
    return new Promise((resolve) => term.signal.addEventListener('abort', () => resolve()));
  });
  stops.push(() => leases.stop());
  return { leases, terms };
}

/** A store that a test can take away from one replica. */
function breakable(): JobLeaseStore & { away: boolean } {
  const guarded = { away: false } as JobLeaseStore & { away: boolean };
  for (const name of ['beat', 'read', 'take', 'release', 'remove'] as const) {
    const call = store[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(guarded, {
      [name]: (...args: unknown[]) =>
        guarded.away ? Promise.reject(new Error('away')) : call(...args),
    });
  }
  return guarded;
}

function heldBy(replicas: readonly { leases: { held(): readonly number[] } }[]): number[] {
  return replicas.flatMap(({ leases }) => leases.held()).sort((a, b) => a - b);
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test('one of two replicas leads; when it stops, the other leads with a higher fence', async () => {
  const a = replica('a', 1);
  await clock.advance(0);
  const b = replica('b', 1);
  await clock.advance(TTL_MS * 2);
  expect([a.leases.held(), b.leases.held()]).toEqual([[0], []]);
  await a.leases.stop();
  await clock.advance(TTL_MS);
  expect(b.leases.held()).toEqual([0]);
  expect(b.terms[0]?.fence).toBeGreaterThan(a.terms[0]?.fence ?? 0n);
});

test.each([
  [4, 3],
  [16, 3],
  [16, 5],
  [2, 3],
])('%i shards are divided among %i replicas that come one by one', async (shards, count) => {
  const replicas = [];
  for (const index of range(count)) {
    replicas.push(replica(`r${index}`, shards));
    await clock.advance(TTL_MS);
  }
  await clock.advance(TTL_MS * 4);
  expect(heldBy(replicas)).toEqual(range(shards));
  const sizes = replicas.map(({ leases }) => leases.held().length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

test('the shards of a replica that went silent are taken over, and never held twice', async () => {
  const own = breakable();
  const lost = replica('lost', 4, own);
  const stays = replica('stays', 4);
  await clock.advance(TTL_MS * 4);
  expect(lost.leases.held()).toHaveLength(2);
  own.away = true;
  for (const _ of range(40)) {
    await clock.advance(TTL_MS / 10);
    const all = heldBy([lost, stays]);
    expect(new Set(all).size).toBe(all.length);
  }
  expect(stays.leases.held()).toHaveLength(4);
  expect(lost.terms.every(({ signal }) => signal.aborted)).toBe(true);
});

test('a replica that comes back works again, on shards that were left to it', async () => {
  const own = breakable();
  const only = replica('only', 2, own);
  await clock.advance(TTL_MS);
  own.away = true;
  await clock.advance(TTL_MS * 2);
  expect(only.leases.held()).toEqual([]);
  own.away = false;
  await clock.advance(TTL_MS * 2);
  expect(only.leases.held()).toHaveLength(2);
});

test('a clock that is ten minutes ahead takes nothing from a replica that lives', async () => {
  const leader = replica('leader', 1);
  await clock.advance(0);
  const ahead = createFakeClock();
  ahead.jumpWallClock(600_000);
  const other = replica('other', 1, store, ahead);
  for (const _ of range(30)) {
    await clock.advance(TTL_MS / 10);
    await ahead.advance(TTL_MS / 10);
  }
  expect(leader.leases.held()).toEqual([0]);
  expect(other.terms).toEqual([]);
});

test('work that fails is started again under a new fence', async () => {
  const fences: bigint[] = [];
  const leases = createShardLeases({
    ...{ store, group: 'work', shards: 1, replica: 'a', ttlMs: TTL_MS },
    ...{ clock, logger: silentLogger },
  });
  leases.start(async ({ fence }) => {
    fences.push(fence);
    throw new Error('broken');
  });
  await clock.advance(TTL_MS * 2);
  await leases.stop();
  expect(fences.length).toBeGreaterThan(1);
  expect([...fences].sort()).toEqual(fences);
});

test('a store that was restored to yesterday gives no fence that was given since', async () => {
  await store.take('work', { id: 'shard 0', replica: '', fence: 7n, beat: 1n }, undefined);
  const { leases, terms } = replica('a', 1);
  await clock.advance(TTL_MS);
  await leases.stop();
  expect(terms[0]?.fence).toBeGreaterThanOrEqual(BigInt(clock.now() - TTL_MS));
});

test('the shard of a key never changes: data is divided by it', () => {
  expect(['acc_1', 'acc_2', 'acc_3'].map((key) => shardOf(key, 16))).toEqual([10, 7, 4]);
});
