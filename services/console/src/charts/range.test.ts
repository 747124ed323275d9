import { describeStart, queryOf } from './range';

const NOW = Date.parse('2026-11-22T12:34:56Z');

test('seven days are today and the six days before', () => {
  expect(queryOf('7d', NOW)).toEqual({ start: '2026-11-16T00:00:00.000Z', interval: 'day' });
});

test('the days of a range are named by the first of them', () => {
  expect(describeStart('7d', NOW)).toBe('since 16\u00a0Nov');
});

test('a day is this hour and the 23 before', () => {
  expect(queryOf('24h', NOW)).toEqual({ start: '2026-11-21T13:00:00.000Z', interval: 'hour' });
});

test('the query stays the same while its bucket lasts', () => {
  expect(queryOf('30d', NOW)).toEqual(queryOf('30d', NOW + 60_000));
});
