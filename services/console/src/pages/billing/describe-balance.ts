import type { Balance, LedgerEntry, Statement } from '../../api/schemas';
import { addMoney, formatMoney, fromNano, toApproximate, toNano } from '../../format/money';
import { formatNumberOf, NOTHING } from '../../format/quantity';
import { DAY_MS } from '../../format/time';

const DAYS_MAX = 365;

/** The fields of a balance that say whether it can be spent. */
export type SpendableBalance = Pick<Balance, 'available' | 'total_credits'> &
  Partial<Pick<Balance, 'currency' | 'reserved' | 'spending'>>;

/**
 * What is left of a balance: nothing was ever there, all of it is spent or held for what runs or
 * comes next, or the account lets itself spend nothing of so little.
 */
type BalanceState = BlockedState | 'held' | 'there';

/** In these nothing that costs is answered. */
export type BlockedState = 'never credited' | 'used up' | 'stopped';

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

/**
 * Whether what was there is used up, or kept back by the account itself. Who never had credit is
 * refused too, and that is no alarm.
 */
export function spendsNoMore(balance: SpendableBalance): boolean {
  const state = stateOfBalance(balance);
  return state === 'used up' || state === 'stopped';
}

/** What can be done about a balance that lets nothing be asked for; members redeem no codes. */
export function describeHelp(state: BlockedState, isManager: boolean): string {
  if (state === 'stopped') {
    return isManager
      ? 'Lower that in Billing, or ask whoever runs this service for credit.'
      : 'An owner or admin of your account can lower that.';
  }
  return isManager
    ? 'Redeem a code, or ask whoever runs this service for credit.'
    : 'Ask an owner or admin of your account for credit.';
}

/** What the reserved part of a balance is. */
export const RESERVED_NOTE = 'Held for requests that run or may come next';

/** `Spends nothing below $6.00`, which the account set itself. */
export function describeStop({ currency = 'USD', spending }: SpendableBalance): string {
  const below = spending?.suspend_below;
  return `Spends nothing below ${below ? formatMoney(below, currency) : 'what it set'}`;
}

/** The pace that is told wherever a balance is: the one by which its owner is warned. */
const AT_PACE = 'at the pace of the last two days';

/** Where spending is counted from to tell its pace: yesterday, a day in UTC. */
export function startOfPace(nowMs: number): string {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - DAY_MS).toISOString();
}

/**
 * What a day costs, of an account for which only its usage tells, judged as `daily_spend` of the API
 * is: by the last one to two days, of which a new account has just begun the second.
 */
export function dailySpendOf(
  spent: { readonly sinceStart: string; readonly createdAt: string },
  nowMs: number,
): string {
  const ageMs = Math.max(0, nowMs - Date.parse(spent.createdAt));
  const coveredMs = Math.min(nowMs - Date.parse(startOfPace(nowMs)), DAY_MS + ageMs);
  return fromNano((toNano(spent.sinceStart) * BigInt(DAY_MS)) / BigInt(coveredMs));
}

/** How long the balance lasts, in words, where a day costs so much. */
export function describeOutlook(balance: SpendableBalance, dailySpend: string): string {
  const perDay = toApproximate(dailySpend);
  const left = toApproximate(balance.available);
  const state = stateOfBalance(balance);
  if (state === 'never credited') return 'No credit yet';
  if (state === 'stopped') {
    return `${describeStop(balance)}, as it set itself: requests are refused`;
  }
  if (state === 'held') return 'All of it is held, and what is left of it returns in seconds';
  if (state === 'used up') return 'Used up: requests are refused';
  if (perDay <= 0) return 'Nothing was spent in the last two days';
  const days = Math.floor(left / perDay);
  if (days > DAYS_MAX) return `More than a year ${AT_PACE}`;
  if (days < 1) return `Less than a day ${AT_PACE}`;
  return `${formatNumberOf(days, 'day')} ${AT_PACE}`;
}

/** What came in: credits and adjustments apart. */
export interface Credits {
  readonly credited: string;
  /** Below zero when more was taken back than given. */
  readonly adjusted: string;
}

/**
 * Credits and adjustments, summed over the months: the balance tells only both together. Undefined
 * where the months are not all that the balance is made of.
 */
export function splitCredits(
  { total_credits }: Pick<Balance, 'total_credits'>,
  months: readonly Pick<Statement, 'credits' | 'adjustments'>[],
): Credits | undefined {
  const credited = addMoney(months.map(({ credits }) => credits));
  const adjusted = addMoney(months.map(({ adjustments }) => adjustments));
  const isWhole = addMoney([credited, adjusted]) === addMoney([total_credits]);
  return isWhole ? { credited, adjusted } : undefined;
}

/** The note that billing writes for a redeemed code begins with the code's id. */
const CODE_NOTE = /^Code cod_\w+/;

/** What an entry that is no charge was for, as its account reads it. */
export function describeNote({
  note,
  reason,
}: Partial<Pick<LedgerEntry, 'note' | 'reason'>>): string {
  return note?.replace(CODE_NOTE, 'Redeemed code') || reason || NOTHING;
}
