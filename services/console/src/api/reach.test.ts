import { createReach } from './reach';

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
