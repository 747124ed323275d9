import { silentLogger } from '@tollgate/core';
import {
  createFakeClock,
  createMemoryJobLeaseStore,
  describeJobLeaseStore,
  type FakeClock,
} from '@tollgate/testkit';
import { createLeader, type JobLeaseStore, type LeaderTerm } from './index';

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

function replica(ownStore: JobLeaseStore = store, own = clock, ttlMs = TTL_MS) {
  const leader = createLeader({
    store: ownStore,
    group: 'work',
    ttlMs,
    clock: own,
    logger: silentLogger,
  });
  const terms: LeaderTerm[] = [];
  leader.start((term) => {
    terms.push(term);
    return new Promise((resolve) => term.signal.addEventListener('abort', () => resolve()));
  });
  stops.push(() => leader.stop());
  const isLeading = () => terms.some(({ signal }) => !signal.aborted);
  return { leader, terms, isLeading };
}

/** A store that a test can take away from one replica. */
function breakable(): JobLeaseStore & { away: boolean } {
  const guarded = { away: false } as JobLeaseStore & { away: boolean };
  for (const name of ['beat', 'read', 'take', 'release'] as const) {
    const call = store[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(guarded, {
      [name]: (...args: unknown[]) =>
        guarded.away ? Promise.reject(new Error('away')) : call(...args),
    });
  }
  return guarded;
}

const times = (count: number) => Array.from({ length: count });

test('one of two replicas leads; when it stops, the other leads with a higher fence', async () => {
  const a = replica();
  await clock.advance(0);
  const b = replica();
  await clock.advance(TTL_MS * 2);
  expect([a.isLeading(), b.isLeading()]).toEqual([true, false]);
  await a.leader.stop();
  await clock.advance(TTL_MS);
  expect(b.isLeading()).toBe(true);
  expect(b.terms[0]?.fence).toBeGreaterThan(a.terms[0]?.fence ?? 0n);
});

test('of three replicas that start together one leads', async () => {
  const replicas = [replica(), replica(), replica()];
  await clock.advance(TTL_MS * 3);
  expect(replicas.filter(({ isLeading }) => isLeading())).toHaveLength(1);
  expect(replicas.flatMap(({ terms }) => terms)).toHaveLength(1);
});

test('a leader that went silent is followed by another, and there are never two', async () => {
  const own = breakable();
  const lost = replica(own);
  await clock.advance(0);
  const stays = replica();
  await clock.advance(TTL_MS * 4);
  expect(lost.isLeading()).toBe(true);
  own.away = true;
  for (const _ of times(40)) {
    await clock.advance(TTL_MS / 10);
    const leading = [lost, stays].filter(({ isLeading }) => isLeading());
    expect(leading.length).toBeLessThanOrEqual(1);
  }
  expect(stays.isLeading()).toBe(true);
  expect(lost.terms.every(({ signal }) => signal.aborted)).toBe(true);
});

test('a replica that was given a shorter time waits as long as its leader may be silent', async () => {
  const own = breakable();
  const before = replica(own, clock, TTL_MS * 10);
  await clock.advance(0);
  const after = replica();
  const isEither = () => [before, after].filter(({ isLeading }) => isLeading()).length;
  for (const _ of times(80)) {
    await clock.advance(TTL_MS / 2);
    expect(isEither()).toBeLessThanOrEqual(1);
  }
  expect(before.isLeading()).toBe(true);
  own.away = true;
  for (const _ of times(40)) {
    await clock.advance(TTL_MS / 2);
    expect(isEither()).toBeLessThanOrEqual(1);
  }
  expect(after.isLeading()).toBe(true);
});

test('a replica that comes back leads again where nobody else does', async () => {
  const own = breakable();
  const only = replica(own);
  await clock.advance(TTL_MS);
  own.away = true;
  await clock.advance(TTL_MS * 2);
  expect(only.isLeading()).toBe(false);
  own.away = false;
  await clock.advance(TTL_MS * 2);
  expect(only.isLeading()).toBe(true);
});

test('a clock that is ten minutes ahead takes nothing from a leader that lives', async () => {
  const present = replica();
  await clock.advance(0);
  const ahead = createFakeClock();
  ahead.jumpWallClock(600_000);
  const other = replica(store, ahead);
  for (const _ of times(30)) {
    await clock.advance(TTL_MS / 10);
    await ahead.advance(TTL_MS / 10);
  }
  expect(present.isLeading()).toBe(true);
  expect(other.terms).toEqual([]);
});

test('work that fails is started again under a new fence', async () => {
  const fences: bigint[] = [];
  const leader = createLeader({ store, group: 'work', ttlMs: TTL_MS, clock, logger: silentLogger });
  leader.start(async ({ fence }) => {
    fences.push(fence);
    throw new Error('broken');
  });
  await clock.advance(TTL_MS * 2);
  await leader.stop();
  expect(fences.length).toBeGreaterThan(1);
  expect([...fences].sort()).toEqual(fences);
});

test('a store that was restored to yesterday gives no fence that was given since', async () => {
  await store.take('work', { replica: '', fence: 7n, beat: 1n, ttlMs: TTL_MS }, undefined);
  const { leader, terms } = replica();
  await clock.advance(TTL_MS);
  await leader.stop();
  expect(terms[0]?.fence).toBeGreaterThanOrEqual(BigInt(clock.now() - TTL_MS));
});

test('a look costs the leader and a replica that waits one command each', async () => {
  const asked: string[] = [];
  const counting = (name: string): JobLeaseStore => ({
    ...store,
    async beat(...row) {
      asked.push(`${name} beat`);
      return store.beat(...row);
    },
    async read(group) {
      asked.push(`${name} read`);
      return store.read(group);
    },
  });
  const a = replica(counting('leader'));
  await clock.advance(0);
  const b = replica(counting('other'));
  await clock.advance(0);
  asked.length = 0;
  await clock.advance(TTL_MS * 4);
  expect(new Set(asked)).toEqual(new Set(['leader beat', 'other read']));
  expect(asked).toHaveLength(24);
  expect([a.isLeading(), b.isLeading()]).toEqual([true, false]);
});
