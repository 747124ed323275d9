import {
  formatAgo,
  formatBucket,
  formatDate,
  formatDateTime,
  formatMonth,
  shortenBucket,
} from './time';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:59:55Z', 'just now'],
  ['2026-11-22T11:59:15Z', '45\u00a0s ago'],
  ['2026-11-22T11:57:00Z', '3\u00a0min ago'],
  ['2026-11-22T09:00:01Z', '2\u00a0h ago'],
  ['2026-11-20T12:00:00Z', '2\u00a0d ago'],
  ['2026-11-22T13:30:00Z', 'in 1\u00a0h'],
  ['2026-09-01T12:00:00Z', '1\u00a0Sept\u00a02026'],
])('%s is %s', (iso, shown) => {
  expect(formatAgo(iso, NOW)).toBe(shown);
});

test('dates are those of the zone', () => {
  expect(formatDate('2026-11-22T23:30:00Z', 'Asia/Tokyo')).toBe('23\u00a0Nov\u00a02026');
  expect(formatDateTime('2026-11-22T23:30:09Z', 'UTC')).toBe('22\u00a0Nov\u00a02026, 23:30:09');
});

test('a day of statistics is a day in UTC wherever it is looked at', () => {
  expect(formatBucket('2026-11-22T00:00:00Z', 'day', 'America/New_York')).toBe('22\u00a0Nov');
  expect(formatBucket('2026-11-01T00:00:00Z', 'month', 'America/New_York')).toBe('Nov\u00a02026');
  expect(formatBucket('2026-11-22T14:00:00Z', 'hour', 'UTC')).toBe('22\u00a0Nov, 14:00');
});

test('below an axis an hour stands without its day, a day and a month as they are', () => {
  const label = (interval: 'hour' | 'day' | 'month') =>
    shortenBucket(formatBucket('2026-11-22T14:00:00Z', interval, 'UTC'));
  expect([label('hour'), label('day'), label('month')]).toEqual([
    '14:00',
    '22\u00a0Nov',
    'Nov\u00a02026',
  ]);
});

test('the month of a statement is written out, and what an address has instead stays', () => {
  expect(formatMonth('2026-11')).toBe('November\u00a02026');
  expect(['lately', '2026-13', ''].map(formatMonth)).toEqual(['lately', '2026-13', '']);
});
