import {
  formatCount,
  formatDuration,
  formatFailedShare,
  formatNumberOf,
  formatShare,
  formatWait,
  shareUsed,
} from './quantity';

test.each([
  [0, '0\u00a0ms'],
  [339.6, '340\u00a0ms'],
  [999.6, '1.0\u00a0s'],
  [1234, '1.2\u00a0s'],
  [59_940, '59.9\u00a0s'],
  [59_960, '1\u00a0min'],
  [125_000, '2\u00a0min\u00a05\u00a0s'],
  [120_000, '2\u00a0min'],
])('%d ms are %s', (ms, shown) => {
  expect(formatDuration(ms)).toBe(shown);
});

test('a share of nearly all is not said to be all', () => {
  expect(formatShare(0.9999)).toBe('99.9%');
  expect(formatShare(1)).toBe('100%');
  expect(formatShare(0)).toBe('0%');
});

test.each([
  [0, '0%'],
  [1 / 1_000_000, '<0.1%'],
  [9 / 10_000, '<0.1%'],
  [1 / 1000, '0.1%'],
  [2 / 12, '16.7%'],
  [1 / 2, '50%'],
  [0.9999, '99.9%'],
  [1, '100%'],
])('of the share %d is said that %s failed', (share, shown) => {
  expect(formatFailedShare(share)).toBe(shown);
});

test('counts have separators, and a noun that fits', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect(formatNumberOf(1, 'key')).toBe('1 key');
  expect(formatNumberOf(2, 'entry', 'entries')).toBe('2 entries');
});

test('no share is said of what has no limit, and never more than all', () => {
  expect(shareUsed(50, 200)).toBe(0.25);
  expect(shareUsed(300, 200)).toBe(1);
  expect(shareUsed(300, null)).toBeUndefined();
});

test('nobody is told to wait for less than it takes', () => {
  expect([0.2, 40, 59.5, 61, 900].map(formatWait)).toEqual([
    '1\u00a0s',
    '40\u00a0s',
    '1\u00a0min',
    '2\u00a0min',
    '15\u00a0min',
  ]);
});
