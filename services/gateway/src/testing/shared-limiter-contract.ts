import { createFakeClock, type FakeClock, settlePromises, waitFor } from '@tollgate/testkit';
import type { LimitSubject, Permit } from '../limits/limiter';
import type { SharedLimiter } from '../limits/shared-limiter';

/** One gateway, and the end of its connection without a word. */
export interface SharingGateway {
  readonly limiter: SharedLimiter;
  cut(): void;
}

/** Counters that several gateways share, in the time of the clock. */
export interface SharedUnderTest {
  connect(): Promise<SharingGateway>;
  /** Forgets everything. */
  flush(): Promise<void>;
}

const TEN_O_CLOCK = Date.parse('2026-02-03T10:00:00.000Z');
const STEP_MS = 50;

/** What several gateways promise together. */
export function describeSharedLimiter(
  name: string,
  create: (clock: FakeClock) => Promise<SharedUnderTest>,
): void {
  describe(name, () => {
    let clock: FakeClock;
    let shared: SharedUnderTest;
    let gateways: SharingGateway[];
    let one: SharedLimiter;
    let two: SharedLimiter;
    let subjects = 0;

    const open = async (count: number) => {
      while (gateways.length < count) gateways.push(await shared.connect());
      await clock.advance(1100);
      await waitFor(() => gateways.every(({ limiter }) => limiter.gateways === count));
      [one, two] = gateways.map(({ limiter }) => limiter) as [SharedLimiter, SharedLimiter];
    };
    beforeEach(async () => {
      clock = createFakeClock(TEN_O_CLOCK);
      shared = await create(clock);
      gateways = [];
    });
    afterEach(async () => {
      for (const { limiter } of gateways) await limiter.close();
    });
    const account = (limits: LimitSubject['limits']): LimitSubject => {
      subjects += 1;
      return { id: `account ${subjects}`, limits };
    };
    /** Lets reports and answers pass. */
    const pass = async (durationMs: number) => {
      for (let passed = 0; passed < durationMs; passed += STEP_MS) {
        await clock.advance(STEP_MS);
        // Answers come in order: with the one to this question all before it have come.
        for (const { limiter } of gateways) {
          await limiter.acquire([account({ concurrentRequests: 1 })]);
        }
        await settlePromises();
      }
    };

    test('together admit the limit and not one more, however the requests are spread', async () => {
      await open(2);
      const subject = account({ requestsPerMinute: 30, concurrentRequests: 1000 });
      const decisions = await Promise.all(
        Array.from({ length: 120 }, async (_, at) => (at % 2 === 0 ? one : two).acquire([subject])),
      );
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(30);
    });

    test('a small limit is exact, whoever is asked when', async () => {
      await open(4);
      const subject = account({ requestsPerMinute: 5, concurrentRequests: 3 });
      const seen: boolean[] = [];
      for (let request = 0; request < 12; request += 1) {
        const decision = await gateways[request % 4]?.limiter.acquire([subject]);
        seen.push(decision?.admitted === true);
        if (decision?.admitted) decision.permit.release('minute_and_day');
        await settlePromises();
        await pass(STEP_MS);
      }
      expect(seen).toEqual(Array.from({ length: 12 }, (_, at) => at < 5));
    });

    test('four that are asked ten times the limit admit 0.97 to 1.00 of it', async () => {
      await open(4);
      const limit = 1200;
      const subject = account({ requestsPerMinute: limit });
      const admitted = await offer(gateways, clock, subject, {
        seconds: 130,
        perStep: (10 * limit * STEP_MS) / 60_000 / 4,
        runMs: () => 0,
      });
      const within = (first: number) =>
        admitted.perSecond.slice(first, first + 60).reduce((sum, count) => sum + count, 0);
      const windows = Array.from({ length: 70 }, (_, first) => within(first));
      expect(Math.max(...windows)).toBeLessThanOrEqual(limit);
      expect(Math.min(...windows)).toBeGreaterThanOrEqual(0.97 * limit);
    }, 60_000);

    test('what runs at four is never more than the limit, and nearly that', async () => {
      await open(4);
      const subject = account({ concurrentRequests: 24 });
      const admitted = await offer(gateways, clock, subject, {
        seconds: 10,
        perStep: 15,
        runMs: (request) => 50 + ((request * 37) % 200),
      });
      expect(admitted.runningMax).toBe(24);
      expect(admitted.runningMean).toBeGreaterThan(0.8 * 24);
    }, 60_000);

    test('what one does not use comes back: another gets the whole limit', async () => {
      await open(4);
      const subject = account({ requestsPerMinute: 400, concurrentRequests: 40 });
      const held: Permit[] = [];
      for (let step = 0; step < 4; step += 1) {
        for (const { limiter } of gateways) {
          const decisions = await Promise.all(
            Array.from({ length: 4 }, async () => limiter.acquire([subject])),
          );
          for (const decision of decisions) if (decision.admitted) held.push(decision.permit);
        }
        for (const permit of held.splice(0)) permit.release('minute_and_day');
        await pass(STEP_MS);
      }
      await pass(1300);
      let admitted = 0;
      for (let request = 0; request < 290; request += 1) {
        const decision = await one.acquire([subject]);
        if (!decision.admitted) continue;
        decision.permit.release('minute_and_day');
        admitted += 1;
      }
      const atOnce = await Promise.all(
        Array.from({ length: 60 }, async () => one.acquire([subject])),
      );
      expect(admitted).toBe(290);
      expect(atOnce.filter((decision) => decision.admitted)).toHaveLength(40);
    });

    test('a gateway that died has nothing any more after ten seconds', async () => {
      await open(2);
      const subject = account({ concurrentRequests: 2 });
      await one.acquire([subject]);
      await one.acquire([subject]);
      expect((await two.acquire([subject])).admitted).toBe(false);
      gateways[0]?.cut();
      await clock.advance(5000);
      expect((await two.acquire([subject])).admitted).toBe(false);
      await clock.advance(5500);
      await waitFor(async () => (await two.acquire([subject])).admitted);
    });

    test('a gateway that leaves gives back what it has at once', async () => {
      await open(2);
      const subject = account({ requestsPerMinute: 4, concurrentRequests: 1 });
      await one.acquire([subject]);
      await one.close();
      const decision = await two.acquire([subject]);
      expect(decision.admitted).toBe(true);
      expect(decision.states[0]?.minuteCount).toBe(2);
    });

    test('counters that forgot everything are told again what runs', async () => {
      await open(2);
      const subject = account({ concurrentRequests: 3 });
      for (let request = 0; request < 3; request += 1) await one.acquire([subject]);
      await shared.flush();
      await pass(1100);
      expect((await two.acquire([subject])).admitted).toBe(false);
    });

    test('know how many they are', async () => {
      await open(2);
      expect([one.gateways, two.gateways]).toEqual([2, 2]);
    });
  });
}

interface Offer {
  readonly seconds: number;
  /** Requests of each gateway in each step. */
  readonly perStep: number;
  readonly runMs: (request: number) => number;
}

/** Offers a steady load to all gateways alike; returns what they let in. */
async function offer(
  gateways: readonly SharingGateway[],
  clock: FakeClock,
  subject: LimitSubject,
  { seconds, perStep, runMs }: Offer,
): Promise<{ perSecond: number[]; runningMax: number; runningMean: number }> {
  const perSecond = new Array<number>(seconds).fill(0);
  const endings: { readonly endMs: number; readonly permit: Permit }[] = [];
  const startSecond = Math.floor(clock.now() / 1000);
  const steps = (seconds * 1000) / STEP_MS;
  let running = 0;
  let runningMax = 0;
  let runningSum = 0;
  let requests = 0;
  const admit = async ({ limiter }: SharingGateway): Promise<void> => {
    const request = requests++;
    const decision = await limiter.acquire([subject]);
    if (!decision.admitted) return;
    running += 1;
    runningMax = Math.max(runningMax, running);
    const second = Math.floor(clock.now() / 1000) - startSecond;
    perSecond[second] = (perSecond[second] ?? 0) + 1;
    endings.push({ endMs: clock.monotonicMs() + runMs(request), permit: decision.permit });
  };
  let due = 0;
  for (let step = 0; step < steps; step += 1) {
    due += perStep;
    const calls: Promise<void>[] = [];
    for (; due >= 1; due -= 1) calls.push(...gateways.map(admit));
    await Promise.all(calls);
    runningSum += running;
    await clock.advance(STEP_MS);
    for (const ending of endings.splice(0)) {
      if (ending.endMs > clock.monotonicMs()) endings.push(ending);
      else {
        ending.permit.release('minute_and_day');
        running -= 1;
      }
    }
  }
  return { perSecond, runningMax, runningMean: runningSum / steps };
}
