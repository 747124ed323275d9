import { createFakeClock } from '@tollgate/testkit';
import { createRetryBudget } from './retries';

it('lets a fifth of the traffic be retries, once the first ten are spent', () => {
  const budget = createRetryBudget(createFakeClock());
  let retries = 0;
  for (let request = 0; request < 1000; request += 1) {
    budget.noteRequest('small');
    if (budget.take('small')) retries += 1;
  }
  expect(retries).toBe(210);
});

it('gives a quiet model its first ten back, and keeps the models apart', async () => {
  const clock = createFakeClock();
  const budget = createRetryBudget(clock);
  const takeAll = (model: string) => {
    let taken = 0;
    while (budget.take(model)) taken += 1;
    return taken;
  };
  expect(takeAll('small')).toBe(10);
  await clock.advance(3_000);
  expect([takeAll('small'), takeAll('large')]).toEqual([3, 10]);
  await clock.advance(60_000);
  expect(takeAll('small')).toBe(10);
});
