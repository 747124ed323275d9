import { createFakeClock } from '@tollgate/testkit';
import { createRetrySavings } from './retries';

it('lets a fifth of the traffic be retries, once the reserve is spent', () => {
  const savings = createRetrySavings(createFakeClock());
  let retries = 0;
  for (let request = 0; request < 1000; request += 1) {
    savings.noteRequest('small');
    if (savings.take('small')) retries += 1;
  }
  expect(retries).toBe(210);
});

it('gives a quiet model its reserve back, and keeps the models apart', async () => {
  const clock = createFakeClock();
  const savings = createRetrySavings(clock);
  const takeAll = (model: string) => {
    let taken = 0;
    while (savings.take(model)) taken += 1;
    return taken;
  };
  expect(takeAll('small')).toBe(10);
  await clock.advance(3_000);
  expect([takeAll('small'), takeAll('large')]).toEqual([3, 10]);
  await clock.advance(60_000);
  expect(takeAll('small')).toBe(10);
});
