import type { Balance } from '../../api/schemas';
import { toApproximate, toNano } from '../../format/money';
import { formatNumberOf } from '../../format/quantity';

const WEEK_DAYS = 7;
const DAYS_MAX = 365;

/** What is left of a balance: nothing was ever there, or all of it is spent. */
export type BalanceState = 'never credited' | 'used up' | 'there';

export function stateOfBalance({
  available,
  total_credits,
}: Pick<Balance, 'available' | 'total_credits'>): BalanceState {
  if (toNano(available) > 0n) return 'there';
  return toNano(total_credits) === 0n ? 'never credited' : 'used up';
}

/** How long the balance lasts at the pace of the last week, in words. */
export function describeOutlook(
  balance: Pick<Balance, 'available' | 'total_credits'>,
  spentInWeek: string,
): string {
  const perDay = toApproximate(spentInWeek) / WEEK_DAYS;
  const left = toApproximate(balance.available);
  const state = stateOfBalance(balance);
  if (state === 'never credited') return 'No credit yet';
  if (state === 'used up') return 'Used up: requests are refused';
  if (perDay <= 0) return 'Nothing was spent this week';
  const days = Math.floor(left / perDay);
  if (days > DAYS_MAX) return "More than a year at this week's pace";
  if (days < 1) return "Less than a day at this week's pace";
  return `${formatNumberOf(days, 'day')} at this week's pace`;
}
