import { createFakeClock } from '@tollgate/testkit';
import { createRetryTimes } from './index';

test('what failed is due again after the time, or once it is released', async () => {
  const clock = createFakeClock();
  const times = createRetryTimes(clock, 1000);
  expect(times.isDue('a')).toBe(true);
  times.add('a');
  times.add('b');
  expect(times.isDue('a')).toBe(false);
  expect([times.has('a'), times.has('c')]).toEqual([true, false]);
  expect([times.release('a'), times.release('a')]).toEqual([true, false]);
  expect(times.isDue('a')).toBe(true);
  await clock.advance(1000);
  expect(times.isDue('b')).toBe(true);
});
