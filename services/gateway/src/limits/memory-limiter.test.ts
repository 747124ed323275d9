import { createFakeClock } from '@tollgate/testkit';
import { describeRequestLimiter } from '../testing/limiter-contract';
import { createMemoryLimiter } from './memory-limiter';

const TEN_O_CLOCK = Date.parse('2026-02-03T10:00:00.000Z');

describeRequestLimiter('the limiter in memory', async () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const limiter = createMemoryLimiter(clock, 1000);
  return {
    limiter,
    advance: clock.advance,
    settle: async () => {},
    close: () => limiter.close(),
  };
});

test('a subject that was forgotten at the bound is released without harm', () => {
  const clock = createFakeClock(TEN_O_CLOCK);
  const limiter = createMemoryLimiter(clock, 1);
  const limits = { concurrentRequests: 1 };
  const first = limiter.acquire([{ id: 'a', limits }]);
  limiter.acquire([{ id: 'b', limits }]);
  if (first.admitted) first.permit.release('minute_and_day');
  expect(limiter.acquire([{ id: 'a', limits }]).admitted).toBe(true);
  expect(limiter.acquire([{ id: 'a', limits }]).admitted).toBe(false);
});
