import { createReach, untilReached } from './reach';

test('everybody who watches hears when the product goes and comes, once each', () => {
  const reach = createReach();
  const seen: boolean[] = [];
  const stop = reach.subscribe(() => seen.push(reach.isAway()));
  reach.answered();
  reach.failed();
  reach.failed();
  reach.answered();
  stop();
  reach.failed();
  expect(seen).toEqual([true, false]);
});

test('whoever waits for the product goes on when it answers, and at once while it does', async () => {
  const reach = createReach();
  await untilReached(reach);
  reach.failed();
  const events: string[] = [];
  const waiting = untilReached(reach).then(() => events.push('went on'));
  events.push('came back');
  reach.answered();
  await waiting;
  expect(events).toEqual(['came back', 'went on']);
});
