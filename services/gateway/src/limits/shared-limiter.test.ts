import { randomUUID } from 'node:crypto';
import { delay, silentLogger } from '@tollgate/core';
import {
  createFakeClock,
  describeWithEngine,
  type FakeClock,
  settlePromises,
  waitFor,
} from '@tollgate/testkit';
import { Redis } from 'ioredis';
import { describeRequestLimiter, type LimiterUnderTest } from '../testing/limiter-contract';
import { createMemoryCounters } from '../testing/memory-counters';
import { describeSharedLimiter } from '../testing/shared-limiter-contract';
import { toRateLimitError } from './admission';
import type { LimitDecision, LimitSubject } from './limiter';
import { createMemoryLimiter } from './memory-limiter';
import { connectRedisCounters } from './redis-counters';
import type { SharedCounters } from './shared-counters';
import { GATEWAY_TTL_MS, SharedLimiter } from './shared-limiter';

const TEN_O_CLOCK = Date.parse('2026-02-03T10:00:00.000Z');

async function connect(
  counters: SharedCounters,
  clock: FakeClock,
  subjectsMax = 1000,
): Promise<SharedLimiter> {
  const limiter = new SharedLimiter({
    counters,
    alone: createMemoryLimiter(clock, 1000),
    subjectsMax,
    clock,
    logger: silentLogger,
  });
  await limiter.start();
  await waitFor(() => limiter.connected, { description: 'a connection to the counters' });
  return limiter;
}

/** Ids are new in every test: the server outlives them all. */
function withFreshIds(limiter: SharedLimiter): LimiterUnderTest['limiter'] {
  const run = randomUUID();
  return {
    acquire: (subjects) =>
      limiter.acquire(subjects.map(({ id, limits }) => ({ id: `${run}:${id}`, limits }))),
    close: () => limiter.close(),
  };
}

describeWithEngine('redis', 'the limiter in Redis', (redisUrl) => {
  let probe: Redis;
  beforeAll(() => {
    probe = new Redis(redisUrl);
  });
  afterAll(() => probe.disconnect());

  const countersOf = (clock: FakeClock): SharedCounters => {
    const [counters] = connectRedisCounters({
      redis: { redisUrl },
      gatewayId: randomUUID(),
      gatewayTtlMs: GATEWAY_TTL_MS,
      counterTime: () => clock.now(),
      // Time of the machine beside a clock that stands: a pause is no outage here.
      commandTimeoutMs: 30_000,
      logger: silentLogger,
    });
    if (counters === undefined) throw new Error('one server has one partition');
    return counters;
  };

  describeRequestLimiter('the limiter in Redis', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    await probe.flushall();
    const limiter = await connect(countersOf(clock), clock);
    return {
      limiter: withFreshIds(limiter),
      advance: (ms) => clock.advance(ms),
      settle: async () => {},
      close: () => limiter.close(),
    };
  });

  describeSharedLimiter('gateways on Redis', async (clock) => {
    await probe.flushall();
    return {
      connect: async () => {
        const counters = countersOf(clock);
        return { limiter: await connect(counters, clock), cut: () => counters.close() };
      },
      flush: async () => void (await probe.flushall()),
    };
  });

  test('while Redis is away a gateway goes on with its share, and comes back', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    await probe.flushall();
    const limiter = await connect(countersOf(clock), clock);
    const other = await connect(countersOf(clock), clock);
    await clock.advance(1100);
    await waitFor(() => limiter.gateways === 2);
    const subject = { id: randomUUID(), limits: { requestsPerMinute: 5, concurrentRequests: 50 } };
    const held = await limiter.acquire([subject]);
    await other.close();
    // Every connection is cut, and none can come back for a while.
    await probe.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    const decisions = [];
    for (let request = 0; request < 10; request += 1) {
      decisions.push(await limiter.acquire([subject]));
      if (limiter.connected) break;
    }
    expect(decisions.some((decision) => decision.admitted)).toBe(true);
    await clock.advance(1100);
    await waitFor(() => limiter.connected);
    if (held.admitted) held.permit.release('minute_and_day');
    await limiter.close();
  });
});

describe('the limiter on counters in memory', () => {
  describeRequestLimiter('the limiter on counters in memory', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
    const limiter = await connect(counters.connect('one'), clock);
    return {
      limiter,
      advance: (ms) => clock.advance(ms),
      settle: async () => {},
      close: () => limiter.close(),
    };
  });

  describeRequestLimiter('the limiter whose counters are away', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
    const limiter = await connect(counters.connect('one'), clock);
    counters.away = true;
    return {
      limiter,
      advance: (ms) => clock.advance(ms),
      settle: async () => {},
      close: () => limiter.close(),
    };
  });

  describeSharedLimiter('gateways on counters in memory', async (clock) => {
    const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
    return {
      async connect() {
        const connection = counters.connect(randomUUID());
        let isCut = false;
        const live = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
          if (isCut) throw new Error('cut');
          return ask();
        };
        const limiter = await connect(
          {
            ...connection,
            share: (requests) => live(() => connection.share(requests)),
            heartbeat: () => live(() => connection.heartbeat()),
          },
          clock,
        );
        return {
          limiter,
          cut() {
            isCut = true;
          },
        };
      },
      flush: async () => counters.flush(),
    };
  });
});

describe('a gateway whose counters go away', () => {
  let clock: FakeClock;
  let counters: ReturnType<typeof createMemoryCounters>;
  let limiter: SharedLimiter;
  let others: readonly SharedLimiter[];
  beforeEach(async () => {
    clock = createFakeClock(TEN_O_CLOCK);
    counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
    others = await Promise.all(
      ['two', 'three', 'four'].map((id) => connect(counters.connect(id), clock)),
    );
    limiter = await connect(counters.connect('one'), clock);
  });
  afterEach(() => Promise.all([limiter, ...others].map((each) => each.close())));

  const admit = async (subject: LimitSubject, requests: number): Promise<number> => {
    let admitted = 0;
    for (let request = 0; request < requests; request += 1) {
      const decision = await limiter.acquire([subject]);
      if (!decision.admitted) continue;
      admitted += 1;
      decision.permit.release('minute_and_day');
    }
    return admitted;
  };

  test('admits its part of the limit, at least one, and never without limit', async () => {
    counters.away = true;
    expect(await admit({ id: 'ten', limits: { requestsPerMinute: 10 } }, 10)).toBe(3);
    expect(limiter.connected).toBe(false);
    expect(await admit({ id: 'two', limits: { requestsPerMinute: 2 } }, 10)).toBe(1);
  });

  test('has no place left where its requests of before take all, until one of them ends', async () => {
    const subject = { id: 'one', limits: { concurrentRequests: 4 } };
    const running = [await limiter.acquire([subject]), await limiter.acquire([subject])];
    counters.away = true;
    const refused = await limiter.acquire([subject]);
    if (refused.admitted) throw new Error('admitted');
    expect(refused).toMatchObject({ kind: 'concurrency', retryAfterMs: 1000 });
    expect(toRateLimitError(refused)).toMatchObject({ retryable: true });
    for (const each of running) if (each.admitted) each.permit.release('minute_and_day');
    expect(await limiter.acquire([subject])).toMatchObject({ admitted: true });
  });

  test('uses up its share first, and after nine seconds takes it for lost', async () => {
    const limits = { requestsPerMinute: 6000 };
    for (const id of ['soon', 'late']) {
      for (let step = 0; step < 5; step += 1) {
        await admit({ id, limits }, 20);
        await clock.advance(50);
        await settlePromises();
      }
    }
    counters.away = true;
    const inHand = (await admit({ id: 'soon', limits }, 6000)) - 6000 / 4;
    expect(inHand).toBeGreaterThan(0);
    expect(inHand).toBeLessThan(6000 / 4 / 4);
    await clock.advance(9100);
    expect(await admit({ id: 'late', limits }, 6000)).toBe(6000 / 4);
  });

  test('tells what it admitted alone when they come back', async () => {
    const subject = { id: 'ten', limits: { requestsPerMinute: 40, requestsPerDay: 100 } };
    counters.away = true;
    await admit(subject, 20);
    const running = await limiter.acquire([{ id: 'held', limits: { concurrentRequests: 1 } }]);
    counters.away = false;
    await clock.advance(1100);
    await waitFor(() => limiter.connected);
    await clock.advance(200);
    const [other] = others;
    const seen = await other?.acquire([subject]);
    expect(seen?.states[0]).toMatchObject({ minuteCount: 11, dayCount: 11 });
    const refused = await other?.acquire([{ id: 'held', limits: { concurrentRequests: 1 } }]);
    expect(refused).toMatchObject({ admitted: false, kind: 'concurrency' });
    expect(running.admitted).toBe(true);
  });
});

test('after a long break each subject is told of once, with all that was admitted alone', async () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
  const connection = counters.connect('one');
  const told: { id: string; dayChange: number }[] = [];
  const limiter = await connect(
    {
      ...connection,
      share(requests) {
        if (!counters.away) told.push(...requests.map(({ id, dayChange }) => ({ id, dayChange })));
        return connection.share(requests);
      },
    },
    clock,
  );
  counters.away = true;
  for (let minute = 0; minute < 3; minute += 1) {
    const decision = await limiter.acquire([{ id: 'rare', limits: { requestsPerMinute: 5 } }]);
    if (decision.admitted) decision.permit.release('minute_and_day');
    await clock.advance(90_000);
  }
  counters.away = false;
  await clock.advance(2_000);
  await waitFor(() => told.length > 0);
  await settlePromises();
  expect(told).toEqual([{ id: 'rare', dayChange: 3 }]);
  await limiter.close();
});

test('in a long break no more subjects are kept than are allowed, and those in use aside', async () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
  const connection = counters.connect('one');
  const told = new Set<string>();
  const limiter = await connect(
    {
      ...connection,
      share(requests) {
        if (!counters.away) for (const { id } of requests) told.add(id);
        return connection.share(requests);
      },
    },
    clock,
    2,
  );
  counters.away = true;
  for (const id of ['running', 'a', 'b', 'c', 'd', 'e']) {
    const decision = await limiter.acquire([{ id, limits: { requestsPerMinute: 5 } }]);
    if (decision.admitted && id !== 'running') decision.permit.release('minute_and_day');
  }
  await clock.advance(90_000);
  counters.away = false;
  await clock.advance(2_000);
  await waitFor(() => told.size > 0);
  await settlePromises();
  expect([...told]).toEqual(['running', 'e']);
  await limiter.close();
});

test('of thousands of accounts that wait, an answer looks at those that it is about', async () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
  const limiter = await connect(counters.connect('one'), clock);
  // A request that waits is looked at by its limits.
  let looks = 0;
  const limits = {
    get requestsPerMinute() {
      looks += 1;
      return 2;
    },
  };
  const ask = async (number: number) =>
    limiter.acquire([
      { id: `account ${number}`, limits },
      { id: `key ${number}`, limits: { requestsPerDay: 1 } },
    ]);
  const numbers = Array.from({ length: 2000 }, (_, number) => number);
  const decisions = await Promise.all([...numbers, ...numbers].map(ask));
  expect(decisions.filter((decision) => decision.admitted)).toHaveLength(2000);
  expect(looks).toBeLessThan(10 * 4000);
  await limiter.close();
});

describe('a gateway far from its counters', () => {
  const AWAY_MS = 300;
  const clock = createFakeClock(TEN_O_CLOCK);
  const farFrom = ({ share, ...connection }: SharedCounters): SharedCounters => ({
    ...connection,
    async share(requests) {
      const answer = await share(requests);
      await delay(clock, AWAY_MS);
      return answer;
    },
  });

  test.each([
    ['concurrency', { concurrentRequests: 1 }],
    ['rpm', { requestsPerMinute: 1 }],
    ['rpd', { requestsPerDay: 1 }],
  ])('is refused by the first answer: %s', async (kind, limits) => {
    const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
    const near = await connect(counters.connect('near'), clock);
    const far = await connect(farFrom(counters.connect('far')), clock);
    const subject = { id: kind, limits };
    expect(await near.acquire([subject])).toMatchObject({ admitted: true });
    const before = counters.calls;
    const refused = Promise.resolve(far.acquire([subject, { id: 'key', limits: {} }]));
    let decision: LimitDecision | undefined;
    void refused.then((decided) => {
      decision = decided;
    });
    await waitFor(() => counters.calls > before);
    await clock.advance(AWAY_MS);
    await waitFor(() => decision !== undefined || counters.calls > before + 2);
    expect(decision).toMatchObject({ admitted: false, kind });
    for (const limiter of [near, far]) void limiter.close();
  });
});

test('a busy account asks its counters ten times a second, and idle ones not at all', async () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const counters = createMemoryCounters(() => clock.now(), GATEWAY_TTL_MS);
  const limiter = await connect(counters.connect('one'), clock);
  const subject = { id: 'busy', limits: { requestsPerMinute: 600_000, concurrentRequests: 20 } };
  const run = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      for (let request = 0; request < 5; request += 1) {
        const decision = limiter.acquire([subject]);
        const settled = decision instanceof Promise ? await decision : decision;
        if (settled.admitted) settled.permit.release('minute_and_day');
      }
      await clock.advance(10);
    }
  };
  await run(100);
  const before = counters.calls;
  await run(500);
  expect(counters.calls - before).toBeGreaterThanOrEqual(49);
  expect(counters.calls - before).toBeLessThanOrEqual(51);
  await clock.advance(2000);
  const atRest = counters.calls;
  await clock.advance(60_000);
  expect(counters.calls).toBe(atRest);
  await limiter.close();
});
