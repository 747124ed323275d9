import { staleSince } from './freshness';
import { LIVE_MS } from './queries';

const NOW = 1_000_000;
const answered = (atMs: number, error: Error | null = null) => ({
  data: true,
  error,
  dataUpdatedAt: atMs,
});
const nothing = { data: undefined, error: new Error('away'), dataUpdatedAt: 0 };

test('an answer that is kept while the next one fails is not of now', () => {
  expect(staleSince([answered(NOW - 1)], NOW)).toBeUndefined();
  expect(staleSince([answered(NOW - 1, new Error('away'))], NOW)).toBe(NOW - 1);
});

test('an answer after which none came is old, and the oldest counts', () => {
  const old = answered(NOW - 4 * LIVE_MS);
  expect(staleSince([answered(NOW), old, answered(NOW, new Error('away'))], NOW)).toBe(
    NOW - 4 * LIVE_MS,
  );
});

test('what was never answered is not stale', () => {
  expect(staleSince([nothing], NOW)).toBeUndefined();
});
