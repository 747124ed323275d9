import { DAY_MS, periodEndOf, periodStartOf } from '@tollgate/core';
import { accountWith, NOON, n } from '../testing/fixtures';
import type { BudgetSpend } from './account';
import { budgetRoom, currentBudget, evictIdleBudgets, rollBudget, spendBudget } from './budgets';
import { draftOf } from './draft';

const budget: BudgetSpend = {
  limit: n(100),
  period: 'day',
  periodStartMs: periodStartOf('day', NOON),
  spent: n(70),
  leased: n(20),
  notified: true,
};

describe('budget periods', () => {
  it.each([
    ['day', Date.UTC(2026, 2, 10), Date.UTC(2026, 2, 11)],
    ['week', Date.UTC(2026, 2, 9), Date.UTC(2026, 2, 16)],
    ['month', Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)],
  ] as const)('a %s starts and ends in UTC', (period, start, end) => {
    expect(periodStartOf(period, NOON)).toBe(start);
    expect(periodEndOf(period, start)).toBe(end);
    expect(periodStartOf(period, end - 1)).toBe(start);
    expect(periodStartOf(period, end)).toBe(end);
  });

  it('a week starts on the Monday also around a new year', () => {
    expect(periodStartOf('week', Date.UTC(2027, 0, 1))).toBe(Date.UTC(2026, 11, 28));
  });

  it('December is followed by January', () => {
    expect(periodEndOf('month', Date.UTC(2026, 11, 1))).toBe(Date.UTC(2027, 0, 1));
  });

  it('a budget without a period never starts anew', () => {
    const forever = { ...budget, period: 'none' as const, periodStartMs: 0 };
    expect(rollBudget(forever, NOON + 10_000 * DAY_MS)).toBe(forever);
    expect(periodEndOf('none', 0)).toBeUndefined();
  });
});

describe('rolling over', () => {
  it('forgets what was spent and keeps what is leased', () => {
    const rolled = rollBudget(budget, NOON + DAY_MS);
    expect(rolled).toMatchObject({ spent: 0n, leased: 20n, notified: false });
    expect(budgetRoom(rolled)).toBe(80n);
  });

  it('does not happen within the period or when the clock jumps back', () => {
    expect(rollBudget(budget, NOON + 1)).toBe(budget);
    expect(rollBudget(budget, NOON - 3 * DAY_MS)).toBe(budget);
  });
});

describe('a budget that the operator changed', () => {
  it('takes the new limit at once', () => {
    const raised = currentBudget(budget, { limit: n(200), period: 'day' }, NOON);
    expect(budgetRoom(raised)).toBe(110n);
    const lowered = currentBudget(budget, { limit: n(50), period: 'day' }, NOON);
    expect(budgetRoom(lowered)).toBe(0n);
  });

  it('keeps what was spent when its period becomes longer', () => {
    const changed = currentBudget(budget, { limit: n(100), period: 'month' }, NOON);
    expect(changed).toMatchObject({ period: 'month', spent: 70n, leased: 20n });
    expect(changed.periodStartMs).toBe(Date.UTC(2026, 2, 1));
    const forever = currentBudget(budget, { limit: n(100), period: 'none' }, NOON);
    expect(forever).toMatchObject({ period: 'none', periodStartMs: 0, spent: 70n });
  });

  it('starts anew when its period becomes shorter, and keeps what is leased', () => {
    const monthly = { ...budget, period: 'month' as const, periodStartMs: Date.UTC(2026, 2, 1) };
    const changed = currentBudget(monthly, { limit: n(100), period: 'day' }, NOON);
    expect(changed).toMatchObject({ spent: 0n, leased: 20n, notified: false });
    expect(changed.periodStartMs).toBe(Date.UTC(2026, 2, 10));
    const forever = { ...budget, period: 'none' as const, periodStartMs: 0 };
    expect(currentBudget(forever, { limit: n(100), period: 'week' }, NOON).spent).toBe(0n);
  });

  it('forgets nothing while gateways that know the old and the new period take turns', () => {
    const carried = (period: BudgetSpend['period']) => ({ limit: n(100), period });
    const monthly = {
      ...budget,
      period: 'month' as const,
      periodStartMs: Date.UTC(2026, 2, 1),
      spent: n(90),
    };
    let known: BudgetSpend = monthly;
    const spentOf = (period: BudgetSpend['period']) => {
      known = currentBudget(known, carried(period), NOON);
      const { notified, spent } = known;
      known = spendBudget(known, n(1));
      return [period, spent, notified];
    };
    expect(['day', 'month', 'day', 'month'].map((period) => spentOf(period as 'day'))).toEqual([
      ['day', 0n, false],
      ['month', 91n, true],
      ['day', 2n, false],
      ['month', 93n, true],
    ]);
    const inApril = currentBudget(known, carried('month'), Date.UTC(2026, 3, 1));
    expect(inApril).toMatchObject({ spent: 0n, notified: false });
    expect(inApril.former).toBeUndefined();
  });

  it('is not dropped as idle while the period before its change has something spent', () => {
    const changed = currentBudget(
      { ...budget, leased: n(0) },
      { limit: n(9), period: 'week' },
      NOON,
    );
    const daily = { ...changed, spent: n(0) };
    const draft = draftOf({ ...accountWith(1_000), budgets: new Map([['key_1', daily]]) });
    evictIdleBudgets(draft, NOON);
    expect(draft.budgets.size).toBe(1);
    evictIdleBudgets(draft, NOON + DAY_MS);
    expect(draft.budgets.size).toBe(0);
  });

  it('does not take over what was spent in a period that is past', () => {
    const stale = { ...budget, periodStartMs: periodStartOf('day', NOON - 40 * DAY_MS) };
    const changed = currentBudget(stale, { limit: n(100), period: 'month' }, NOON);
    expect(changed).toMatchObject({ spent: 0n, leased: 20n });
  });
});
