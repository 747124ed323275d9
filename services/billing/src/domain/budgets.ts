import { type Nano, periodStartOf, ZERO_NANO } from '@tollgate/core';
import { type BudgetSpend, minusToZero } from './account';
import { type AccountDraft, postNotice } from './draft';
import type { Budget } from './usage-record';

/**
 * The budget in the period that holds `now`. A new period starts with nothing spent; what is leased
 * stays leased, and counts where it settles. A clock that jumped back changes nothing.
 */
export function rollBudget(budget: BudgetSpend, now: number): BudgetSpend {
  const periodStartMs = periodStartOf(budget.period, now);
  if (periodStartMs <= budget.periodStartMs) return budget;
  return { ...budget, periodStartMs, spent: ZERO_NANO, notified: false };
}

/**
 * The budget as the key carries it now. A change of period keeps what was spent as far as all of it
 * lies within the new period; of a longer past it is not known when it was, and the new period
 * starts with nothing spent.
 */
export function currentBudget(
  known: BudgetSpend | undefined,
  carried: Budget,
  now: number,
): BudgetSpend {
  if (known === undefined) {
    const periodStartMs = periodStartOf(carried.period, now);
    return { ...carried, periodStartMs, spent: ZERO_NANO, leased: ZERO_NANO, notified: false };
  }
  const rolled = rollBudget(known, now);
  if (known.period !== carried.period) {
    const periodStartMs = periodStartOf(carried.period, now);
    const spent = rolled.periodStartMs >= periodStartMs ? rolled.spent : ZERO_NANO;
    return { ...rolled, ...carried, periodStartMs, spent, notified: false };
  }
  return rolled.limit === carried.limit
    ? rolled
    : { ...rolled, limit: carried.limit, notified: false };
}

/** The rest that the key may lease or be charged in this period. */
export function budgetRoom(budget: BudgetSpend): Nano {
  return minusToZero(minusToZero(budget.limit, budget.spent), budget.leased);
}

/** Drops budgets that say nothing (nothing spent in their present period, nothing leased). */
export function evictIdleBudgets(draft: AccountDraft, now: number): void {
  for (const [keyId, budget] of draft.budgets) {
    const rolled = rollBudget(budget, now);
    if (rolled.spent === 0n && rolled.leased === 0n) draft.budgets.delete(keyId);
  }
}

/** Tells the owner, once per period, that the key's budget does not suffice. */
export function noteBudget(draft: AccountDraft, keyId: string, at: number): void {
  const budget = draft.budgets.get(keyId);
  if (budget === undefined || budget.notified) return;
  draft.budgets.set(keyId, { ...budget, notified: true });
  const { limit, period } = budget;
  postNotice(draft, { type: 'key.budget_exceeded', keyId, limit, period }, at);
}
