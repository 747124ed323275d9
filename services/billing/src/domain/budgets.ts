import {
  type Budget,
  type BudgetPeriod,
  type Nano,
  periodStartOf,
  ZERO_NANO,
} from '@tollgate/core';
import { type BudgetSpend, minusToZero, plus } from './account';
import { type AccountDraft, addNotice } from './draft';

type Period = Pick<BudgetSpend, 'period' | 'periodStartMs'>;

/** A clock that jumped back ends no period. */
function isOver({ period, periodStartMs }: Period, now: number): boolean {
  return periodStartOf(period, now) > periodStartMs;
}

/**
 * The budget in the period that holds `now`. A new period starts with nothing spent; what is leased
 * stays leased, and counts where it settles.
 */
export function rollBudget(known: BudgetSpend, now: number): BudgetSpend {
  const { former, ...own } = known;
  const budget = former !== undefined && isOver(former, now) ? own : known;
  if (!isOver(budget, now)) return budget;
  const periodStartMs = periodStartOf(budget.period, now);
  return { ...budget, periodStartMs, spent: ZERO_NANO, notified: false };
}

/** The budget with a charge, which counts in the period before a change as well. */
export function spendBudget(rolled: BudgetSpend, charged: Nano): BudgetSpend {
  const { former } = rolled;
  const counted = { ...rolled, spent: plus(rolled.spent, charged) };
  if (former === undefined) return counted;
  return { ...counted, former: { ...former, spent: plus(former.spent, charged) } };
}

/**
 * The budget in another period. One that goes back to the period before this one goes on as that was
 * counted meanwhile. Any other keeps the spending of the present period when that began within the
 * new one, as after a change from day to month; after one from month to week it is not known what was
 * spent in the week, and the new period starts with nothing spent.
 */
function changePeriod(rolled: BudgetSpend, period: BudgetPeriod, now: number): BudgetSpend {
  const { former, leased, ...own } = rolled;
  if (former?.period === period) return { ...former, leased, former: own };
  const periodStartMs = periodStartOf(period, now);
  const spent = rolled.periodStartMs >= periodStartMs ? rolled.spent : ZERO_NANO;
  return { ...own, period, periodStartMs, spent, leased, notified: false, former: own };
}

/** The budget as the key carries it now. */
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
  const { period, limit } = carried;
  const budget = rolled.period === period ? rolled : changePeriod(rolled, period, now);
  return budget.limit === limit ? budget : { ...budget, limit, notified: false };
}

/** The rest that the key may lease or be charged in this period. */
export function budgetRoom(budget: BudgetSpend): Nano {
  return minusToZero(minusToZero(budget.limit, budget.spent), budget.leased);
}

/** Drops budgets that say nothing (nothing spent in a period that is not over, nothing leased). */
export function evictIdleBudgets(draft: AccountDraft, now: number): void {
  for (const [keyId, budget] of draft.budgets) {
    const rolled = rollBudget(budget, now);
    const spent = rolled.spent + (rolled.former?.spent ?? ZERO_NANO);
    if (spent === 0n && rolled.leased === 0n) draft.budgets.delete(keyId);
  }
}

/** Notifies the owner, once per period, that the key's budget does not suffice. */
export function notifyOfBudget(draft: AccountDraft, keyId: string, now: number): void {
  const budget = draft.budgets.get(keyId);
  if (budget === undefined || budget.notified) return;
  draft.budgets.set(keyId, { ...budget, notified: true });
  const { limit, period } = budget;
  addNotice(draft, { type: 'key.budget_exceeded', keyId, limit, period }, now);
}
