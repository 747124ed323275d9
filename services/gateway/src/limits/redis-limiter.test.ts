import { randomUUID } from 'node:crypto';
import { silentLogger } from '@tollgate/core';
import { createFakeClock, describeWithEngine, type FakeClock, waitFor } from '@tollgate/testkit';
import { Redis } from 'ioredis';
import { describeRequestLimiter, type LimiterUnderTest } from '../testing/limiter-contract';
import type { LimitSubject } from './limiter';
import { createMemoryLimiter } from './memory-limiter';
import { connectRedis } from './redis-connection';
import { createRedisLimiter, type RedisLimiter } from './redis-limiter';

const TEN_O_CLOCK = Date.parse('2026-02-03T10:00:00.000Z');

async function connect(url: string, gatewayId: string, clock: FakeClock): Promise<RedisLimiter> {
  const limiter = createRedisLimiter({
    commands: connectRedis(url, silentLogger),
    gatewayId,
    fallback: createMemoryLimiter(clock, 1000),
    counterTime: () => clock.now(),
    clock,
    logger: silentLogger,
  });
  await limiter.start();
  await waitFor(() => limiter.connected, { description: 'a connection to Redis' });
  return limiter;
}

/** Ids are new in every test: the server outlives them all. */
function withFreshIds(limiter: RedisLimiter): LimiterUnderTest['limiter'] {
  const run = randomUUID();
  return {
    acquire: (subjects) =>
      limiter.acquire(subjects.map(({ id, limits }) => ({ id: `${run}:${id}`, limits }))),
    close: () => limiter.close(),
  };
}

describeWithEngine('redis', 'the limiter in Redis', (engine) => {
  let probe: Redis;
  beforeAll(() => {
    probe = new Redis(engine.url());
  });
  afterAll(() => probe.disconnect());

  describeRequestLimiter('the limiter in Redis', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    await probe.del('{tollgate}:gateways');
    const limiter = await connect(engine.url(), randomUUID(), clock);
    return {
      limiter: withFreshIds(limiter),
      advance: (ms) => clock.advance(ms),
      // Commands of one connection run in order: a question answered means the release arrived.
      settle: async () => void (await limiter.acquire([{ id: randomUUID(), limits: {} }])),
      close: () => limiter.close(),
    };
  });

  describe('several gateways', () => {
    let clock: FakeClock;
    let one: RedisLimiter;
    let two: RedisLimiter;
    beforeEach(async () => {
      clock = createFakeClock(TEN_O_CLOCK);
      await probe.del('{tollgate}:gateways');
      one = await connect(engine.url(), randomUUID(), clock);
      two = await connect(engine.url(), randomUUID(), clock);
    });
    afterEach(() => Promise.all([one.close(), two.close()]));

    const account = (limits: LimitSubject['limits']): LimitSubject => ({
      id: randomUUID(),
      limits,
    });

    test('together admit the limit and not one more, however the requests are spread', async () => {
      const subject = account({ requestsPerMinute: 30, concurrentRequests: 1000 });
      const decisions = await Promise.all(
        Array.from({ length: 120 }, async (_, at) => (at % 2 === 0 ? one : two).acquire([subject])),
      );
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(30);
    });

    test('a gateway that died holds no slot for longer than ten seconds', async () => {
      const subject = account({ concurrentRequests: 2 });
      await one.acquire([subject]);
      await one.acquire([subject]);
      expect((await two.acquire([subject])).admitted).toBe(false);
      await one.close();
      await clock.advance(10_500);
      await waitFor(async () => (await two.acquire([subject])).admitted);
    });

    test('know how many they are', async () => {
      await clock.advance(1100);
      await waitFor(() => one.gateways === 2 && two.gateways === 2);
    });
  });

  test('while Redis is away a gateway goes on with its share, and comes back', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    await probe.del('{tollgate}:gateways');
    const limiter = await connect(engine.url(), randomUUID(), clock);
    const other = await connect(engine.url(), randomUUID(), clock);
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
    if (held.admitted) held.permit.release('counted');
    await limiter.close();
  });
});

describe('without Redis', () => {
  test('a gateway admits its share of the limit, at least one, and never without limit', async () => {
    const clock = createFakeClock(TEN_O_CLOCK);
    let away = false;
    const asked: string[] = [];
    const limiter = createRedisLimiter({
      commands: {
        acquire: async () => {
          throw new Error('away');
        },
        release: async () => {},
        heartbeat: async () => {
          if (away) throw new Error('away');
          return 4;
        },
        restore: async (counts) => void asked.push(...counts.map(([, , count]) => String(count))),
        onReady: () => {},
        close: async () => {},
      },
      gatewayId: 'one',
      fallback: createMemoryLimiter(clock, 1000),
      clock,
      logger: silentLogger,
    });
    await limiter.start();
    away = true;
    const ten = { id: 'ten', limits: { requestsPerMinute: 10 } };
    const admitted = [];
    for (let request = 0; request < 10; request += 1) {
      admitted.push((await limiter.acquire([ten])).admitted);
    }
    expect(limiter.connected).toBe(false);
    expect(admitted.filter(Boolean)).toHaveLength(3);
    const two = { id: 'two', limits: { requestsPerMinute: 2 } };
    expect((await limiter.acquire([two])).admitted).toBe(true);
    expect((await limiter.acquire([two])).admitted).toBe(false);

    // What is in flight was admitted alone; the counters hear of it when they come back.
    away = false;
    await clock.advance(1100);
    expect(limiter.connected).toBe(true);
    expect(asked.sort()).toEqual(['1', '3']);
    await limiter.close();
  });
});
