import { type BudgetPeriod, periodEndOf, periodStartOf } from './budget-period';

const end = (period: BudgetPeriod, now: string) => {
  const at = periodEndOf(period, periodStartOf(period, Date.parse(now)));
  return at === undefined ? undefined : new Date(at).toISOString();
};

test.each([
  ['day', '2026-02-03T10:00:00.000Z', '2026-02-04T00:00:00.000Z'],
  ['day', '2026-02-03T23:59:59.999Z', '2026-02-04T00:00:00.000Z'],
  ['day', '2026-02-04T00:00:00.000Z', '2026-02-05T00:00:00.000Z'],
  // A Tuesday, the Sunday after it, and the Monday with which the next week begins.
  ['week', '2026-02-03T10:00:00.000Z', '2026-02-09T00:00:00.000Z'],
  ['week', '2026-02-08T23:59:59.999Z', '2026-02-09T00:00:00.000Z'],
  ['week', '2026-02-09T00:00:00.000Z', '2026-02-16T00:00:00.000Z'],
  ['month', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'],
  ['month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['month', '2026-12-15T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['month', '2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z'],
] as const)('the %s that holds %s ends at %s', (period, now, expected) => {
  expect(end(period, now)).toBe(expected);
});

test('a budget without a period never starts anew', () => {
  expect(end('none', '2026-02-03T10:00:00.000Z')).toBeUndefined();
});
