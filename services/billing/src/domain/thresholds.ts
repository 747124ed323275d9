import {
  DAY_MS,
  invalid,
  NANO_MAX,
  type Nano,
  nano,
  THRESHOLD_DAYS_MAX,
  THRESHOLDS_MAX,
  ZERO_NANO,
} from '@tollgate/core';
import {
  type Account,
  balanceOf,
  type Change,
  type OwnThresholds,
  type Thresholds,
} from './account';
import type { AccountBounds } from './account-bounds';
import { type AccountDraft, addNotice, draftOf, hasJournalRoom } from './draft';
import { recentSpend } from './spend';

/** Where the thresholds of an account come from; `default` is a tenth of its last credit. */
export type ThresholdSource = 'account' | 'plan' | 'default';

/** Thresholds in their one form: sorted, without repetitions. Throws VALIDATION_ERROR. */
export function checkThresholds({ amounts, days }: Thresholds): Thresholds {
  if (amounts.length > THRESHOLDS_MAX || amounts.some((amount) => amount <= 0n)) {
    throw invalid('amounts', `amounts must be at most ${THRESHOLDS_MAX} amounts above 0.`);
  }
  const isSpan = (span: number) =>
    Number.isInteger(span) && span >= 1 && span <= THRESHOLD_DAYS_MAX;
  if (days.length > THRESHOLDS_MAX || !days.every(isSpan)) {
    throw invalid(
      'days',
      `days must be at most ${THRESHOLDS_MAX} numbers from 1 to ${THRESHOLD_DAYS_MAX}.`,
    );
  }
  return {
    amounts: [...new Set(amounts)].sort((a, b) => (a < b ? 1 : -1)),
    days: [...new Set(days)].sort((a, b) => b - a),
  };
}

/** The thresholds that hold for the account, and whose they are. */
export function thresholdsOf(
  account: Pick<Account, 'thresholds' | 'plan' | 'lastCredit'>,
  bounds: Pick<AccountBounds, 'thresholdsOfPlan'>,
): Thresholds & { readonly source: ThresholdSource } {
  if (account.thresholds !== undefined) return { ...account.thresholds, source: 'account' };
  const ofPlan = account.plan === undefined ? undefined : bounds.thresholdsOfPlan(account.plan);
  if (ofPlan !== undefined) return { ...ofPlan, source: 'plan' };
  return { amounts: [defaultThresholdOf(account)], days: [], source: 'default' };
}

/**
 * A tenth of the last credit: who set no threshold is notified below this balance. A refusal at or
 * below it counts as exhaustion, whatever the account set.
 */
export function defaultThresholdOf(account: Pick<Account, 'lastCredit'>): Nano {
  return nano(account.lastCredit / 10n);
}

/** What the account spends in a day, judged by the last one to two days. */
export function dailySpendOf(account: Pick<Account, 'daySpend'>, now: number): Nano {
  return recentSpend(account.daySpend, DAY_MS, now, DAY_MS);
}

/** What is compared before and after a change. */
type Sums = Pick<Account, 'thresholds' | 'granted' | 'posted'>;

/** Whether the account set a balance below which it is not to spend, and has less. */
export function isSpendingSuspended(account: Sums): boolean {
  const below = account.thresholds?.suspendBelow;
  return below !== undefined && balanceOf(account) < below;
}

/**
 * Notifies the owner of what a charge or an adjustment did: once per crossing of each threshold, and
 * once for all that one change crosses. An amount is crossed by the balance alone, which only falls
 * between two credits. Days hang on the spending too, so each is notified of once until a credit.
 */
export function notifyOfBalance(
  draft: AccountDraft,
  before: Sums,
  now: number,
  bounds: AccountBounds,
): void {
  const balance = balanceOf(draft);
  const { available } = draft;
  const crossed = crossedThresholds(draft, before, now, bounds);
  draft.daysNotified = [...draft.daysNotified, ...crossed.flatMap(({ days = [] }) => days)];
  const [low] = crossed.toSorted((a, b) => (a.threshold < b.threshold ? -1 : 1));
  if (low !== undefined) addNotice(draft, { type: 'balance.low', available, ...low }, now);
  notifyOfSuspension(draft, before, now);
  if (balanceOf(before) > 0n && balance === 0n && !draft.exhaustedNotified) {
    draft.exhaustedNotified = true;
    addNotice(draft, { type: 'balance.exhausted', available }, now);
  }
}

interface CrossedThreshold {
  readonly threshold: Nano;
  /** Of a threshold that is set in days of spending. */
  readonly days: number | undefined;
}

/** Every threshold that the change crossed; of days those that the owner was not notified of yet. */
function crossedThresholds(
  account: Account,
  before: Sums,
  now: number,
  bounds: AccountBounds,
): readonly CrossedThreshold[] {
  const balanceBefore = balanceOf(before);
  const balance = balanceOf(account);
  const { amounts, days } = thresholdsOf(account, bounds);
  const crossed: CrossedThreshold[] = [];
  for (const threshold of amounts) {
    if (balanceBefore >= threshold && balance < threshold) {
      crossed.push({ threshold, days: undefined });
    }
  }
  if (days.length > 0) {
    const daily = dailySpendOf(account, now);
    for (const span of days) {
      const lasts = daily * BigInt(span);
      if (balance >= lasts || account.daysNotified.includes(span)) continue;
      crossed.push({ threshold: nano(lasts < NANO_MAX ? lasts : NANO_MAX), days: span });
    }
  }
  return crossed;
}

/** Notifies that the account spends no more, or spends again, where the draft changed that. */
export function notifyOfSuspension(draft: AccountDraft, before: Sums, now: number): void {
  const isNow = isSpendingSuspended(draft);
  if (isNow === isSpendingSuspended(before)) return;
  const threshold = (isNow ? draft : before).thresholds?.suspendBelow;
  const type = isNow ? 'spending.suspended' : 'spending.resumed';
  addNotice(draft, { type, available: draft.available, threshold: threshold ?? ZERO_NANO }, now);
}

export type SetThresholdsOutcome =
  | { readonly kind: 'set' }
  /** Try again once the journal was stored. */
  | { readonly kind: 'journalFull' };

/**
 * Sets the account's own thresholds; undefined gives it those of its plan again. What the balance is
 * below already makes no notice, but for a suspension that begins or ends.
 */
export function setThresholds(
  account: Account,
  thresholds: OwnThresholds | undefined,
  now: number,
  bounds: AccountBounds,
): Change<SetThresholdsOutcome> {
  if (!hasJournalRoom(account, bounds.journalMax)) {
    return { account, outcome: { kind: 'journalFull' } };
  }
  const draft = draftOf(account);
  draft.thresholds = thresholds;
  const daily = dailySpendOf(draft, now);
  const { days } = thresholdsOf(draft, bounds);
  const balance = balanceOf(draft);
  draft.daysNotified = days.filter((span) => balance < daily * BigInt(span));
  notifyOfSuspension(draft, account, now);
  return { account: draft, outcome: { kind: 'set' } };
}

/**
 * Remembers which plan the account is on, for the thresholds of those that set none. `changedAtMs` is
 * when identity put it there: what comes late, or again, undoes nothing that happened after it.
 */
export function rememberPlan(
  account: Account,
  plan: string,
  changedAtMs: number,
): Change<undefined> {
  if (changedAtMs <= account.planAtMs) return { account, outcome: undefined };
  return { account: { ...draftOf(account), plan, planAtMs: changedAtMs }, outcome: undefined };
}
