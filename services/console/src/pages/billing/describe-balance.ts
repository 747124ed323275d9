import type { Balance } from '../../api/schemas';
import { formatMoney, toApproximate, toNano } from '../../format/money';
import { formatNumberOf } from '../../format/quantity';

const WEEK_DAYS = 7;
const DAYS_MAX = 365;

/** What of a balance says whether it can be spent. */
export type SpendableBalance = Pick<Balance, 'available' | 'total_credits'> &
  Partial<Pick<Balance, 'currency' | 'reserved' | 'spending'>>;

/**
 * What is left of a balance: nothing was ever there, all of it is spent or held for what runs or
 * comes next, or the account lets itself spend nothing of so little.
 */
export type BalanceState = 'never credited' | 'used up' | 'held' | 'stopped' | 'there';

export function stateOfBalance({
  available,
  reserved = '0',
  spending,
  total_credits,
}: SpendableBalance): BalanceState {
  if (spending?.suspended) return 'stopped';
  if (toNano(available) > 0n) return 'there';
  if (toNano(reserved) > 0n) return 'held';
  return toNano(total_credits) === 0n ? 'never credited' : 'used up';
}

/** Whether requests that cost are refused for want of it. */
export function isRefused(balance: SpendableBalance): boolean {
  const state = stateOfBalance(balance);
  return state === 'used up' || state === 'stopped';
}

/** `Spends nothing below $6.00`, which the account set itself. */
export function describeStop({ currency = 'USD', spending }: SpendableBalance): string {
  const below = spending?.suspend_below;
  return `Spends nothing below ${below ? formatMoney(below, currency) : 'what it set'}`;
}

/** How long the balance lasts at the pace of the last week, in words. */
export function describeOutlook(balance: SpendableBalance, spentInWeek: string): string {
  const perDay = toApproximate(spentInWeek) / WEEK_DAYS;
  const left = toApproximate(balance.available);
  const state = stateOfBalance(balance);
  if (state === 'never credited') return 'No credit yet';
  if (state === 'stopped') {
    return `${describeStop(balance)}, as it set itself: requests are refused`;
  }
  if (state === 'held') return 'All of it is held, and what is left of it returns in seconds';
  if (state === 'used up') return 'Used up: requests are refused';
  if (perDay <= 0) return 'Nothing was spent this week';
  const days = Math.floor(left / perDay);
  if (days > DAYS_MAX) return "More than a year at this week's pace";
  if (days < 1) return "Less than a day at this week's pace";
  return `${formatNumberOf(days, 'day')} at this week's pace`;
}
