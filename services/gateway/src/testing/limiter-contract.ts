import { HOUR_MS, MINUTE_MS } from '@tollgate/core';
import { toRateLimitError } from '../limits/admission';
import type { LimitDecision, LimitSubject, Permit, RequestLimiter } from '../limits/limiter';

/** One limiter under test, in time that the test moves. */
export interface LimiterUnderTest {
  readonly limiter: RequestLimiter;
  /** Moves time; starts at 10:00:00.000 UTC of some day. */
  advance(ms: number): Promise<void>;
  /** Resolves when releases that are not awaited have arrived. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** What every limiter promises, whatever keeps its counters. */
export function describeRequestLimiter(
  name: string,
  create: () => Promise<LimiterUnderTest>,
): void {
  describe(`${name} keeps the limits`, () => {
    let under: LimiterUnderTest;
    beforeEach(async () => {
      under = await create();
    });
    afterEach(() => under.close());

    const acquire = async (...subjects: LimitSubject[]): Promise<LimitDecision> =>
      under.limiter.acquire(subjects);
    const admit = async (...subjects: LimitSubject[]): Promise<Permit> => {
      const decision = await acquire(...subjects);
      if (!decision.admitted) throw new Error(`refused by ${decision.kind}`);
      return decision.permit;
    };
    const finish = async (...subjects: LimitSubject[]): Promise<void> => {
      (await admit(...subjects)).release('minute_and_day');
      await under.settle();
    };

    test('a minute takes as many requests as its limit and not one more', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 3 } };
      for (let request = 0; request < 3; request += 1) await finish(account);
      const refused = await acquire(account);
      expect(refused).toMatchObject({ admitted: false, kind: 'rpm', subjectIndex: 0 });
    });

    test('the wait that a refusal names is exactly when the next request is admitted', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 2 } };
      await finish(account);
      await under.advance(10_400);
      await finish(account);
      await under.advance(5_000);
      const refused = await acquire(account);
      expect(refused).toMatchObject({ admitted: false, retryAfterMs: 44_600 });
      await under.advance(44_599);
      expect((await acquire(account)).admitted).toBe(false);
      await under.advance(1);
      expect((await acquire(account)).admitted).toBe(true);
    });

    test('a refused request is counted nowhere', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 1, requestsPerDay: 10 } };
      await finish(account);
      for (let request = 0; request < 5; request += 1) await acquire(account);
      const refused = await acquire(account);
      expect(refused.states[0]).toMatchObject({ minuteCount: 1, dayCount: 1 });
    });

    test('the day ends at midnight UTC', async () => {
      const account = { id: 'acc', limits: { requestsPerDay: 2 } };
      await finish(account);
      await finish(account);
      const refused = await acquire(account);
      expect(refused).toMatchObject({ kind: 'rpd', retryAfterMs: 14 * HOUR_MS });
      await under.advance(14 * HOUR_MS - 1);
      expect((await acquire(account)).admitted).toBe(false);
      await under.advance(1);
      expect((await acquire(account)).admitted).toBe(true);
    });

    test('what was not done for the client keeps the minute and returns the day', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 9, requestsPerDay: 9 } };
      (await admit(account)).release('minute');
      await under.settle();
      const next = await acquire(account);
      expect(next.states[0]).toMatchObject({ minuteCount: 2, dayCount: 1 });
    });

    test('a day that is over gets nothing returned', async () => {
      const account = { id: 'acc', limits: { requestsPerDay: 9 } };
      const permit = await admit(account);
      await under.advance(14 * HOUR_MS);
      await finish(account);
      permit.release('minute');
      await under.settle();
      expect((await acquire(account)).states[0]?.dayCount).toBe(2);
    });

    test('concurrency counts what is in flight, and a release frees exactly one', async () => {
      const account = { id: 'acc', limits: { concurrentRequests: 2 } };
      const first = await admit(account);
      await admit(account);
      expect(await acquire(account)).toMatchObject({ kind: 'concurrency' });
      first.release('minute_and_day');
      first.release('minute_and_day');
      await under.settle();
      await admit(account);
      expect((await acquire(account)).admitted).toBe(false);
    });

    test('a request is counted for account and key, or for neither', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 10 } };
      const key = { id: 'key', limits: { requestsPerMinute: 1 } };
      await finish(account, key);
      const refused = await acquire(account, key);
      expect(refused).toMatchObject({ admitted: false, subjectIndex: 1, kind: 'rpm' });
      expect(refused.states.map((state) => state.minuteCount)).toEqual([1, 1]);
    });

    test('of several limits the one with the longest wait is named', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 1 } };
      const key = { id: 'key', limits: { requestsPerDay: 1 } };
      await finish(account, key);
      expect(await acquire(account, key)).toMatchObject({ subjectIndex: 1, kind: 'rpd' });
    });

    test('subjects do not disturb each other', async () => {
      await finish({ id: 'one', limits: { requestsPerMinute: 1 } });
      expect((await acquire({ id: 'two', limits: { requestsPerMinute: 1 } })).admitted).toBe(true);
    });

    test('no limit refuses nothing, and still counts', async () => {
      const account = { id: 'acc', limits: {} };
      for (let request = 0; request < 100; request += 1) await finish(account);
      const decision = await acquire(account);
      expect(decision.admitted).toBe(true);
      expect(decision.states[0]).toMatchObject({ minuteCount: 101, dayCount: 101 });
    });

    test.each([
      ['rpm', { requestsPerMinute: 0 }, MINUTE_MS],
      ['rpd', { requestsPerDay: 0 }, 14 * HOUR_MS],
      ['concurrency', { concurrentRequests: 0 }, MINUTE_MS],
    ])('a limit of 0 admits nothing, however long one waits: %s', async (...closed) => {
      const [kind, limits, retryAfterMs] = closed;
      // What was counted before the limit became 0 has no part in it.
      await finish({ id: 'acc', limits: {} }, { id: 'key', limits: { requestsPerMinute: 9 } });
      const refused = await acquire({ id: 'acc', limits: {} }, { id: 'key', limits });
      expect(refused).toMatchObject({ subjectIndex: 1, kind, retryAfterMs });
      if (refused.admitted) throw new Error('admitted');
      expect(toRateLimitError(refused)).toMatchObject({ retryable: false, retryAfterMs });
    });

    test('a limit that became 0 admits nothing when one of those that run has ended', async () => {
      const account = { id: 'acc', limits: { concurrentRequests: 4 } };
      const first = await admit(account);
      await admit(account);
      const closed = { id: 'acc', limits: { concurrentRequests: 0 } };
      expect((await acquire(closed)).admitted).toBe(false);
      first.release('minute_and_day');
      expect((await acquire(closed)).admitted).toBe(false);
    });

    test('a retry helps where the limit is not 0', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 9, concurrentRequests: 1 } };
      await admit(account);
      const refused = await acquire(account);
      if (refused.admitted) throw new Error('admitted');
      expect(toRateLimitError(refused)).toMatchObject({ retryable: true });
    });

    test('requests that come at once never pass the limit together', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 20, concurrentRequests: 20 } };
      const decisions = await Promise.all(Array.from({ length: 100 }, () => acquire(account)));
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(20);
    });

    test('the reset says when the oldest counted second leaves the window', async () => {
      const account = { id: 'acc', limits: { requestsPerMinute: 9 } };
      await finish(account);
      await under.advance(18_000);
      const { states } = await acquire(account);
      expect(states[0]).toMatchObject({ minuteCount: 2, minuteResetMs: 42_000 });
    });
  });
}
