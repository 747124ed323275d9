import type { NewThresholds, Thresholds } from '../../api/schemas';
import { type Check, isAmountAboveZero, isWholeFrom, optional } from '../../components/checks';

/** Thresholds as the form holds them. */
export interface ThresholdsDraft {
  /** Amounts and days, one each. */
  amounts: string[];
  days: string[];
  /** Empty lets all of the balance be spent. */
  suspend_below: string;
}

const COUNT_MAX = 10;
const DAYS_MAX = 365;

const each = (check: Check) => (values: readonly string[]) => {
  if (values.length > COUNT_MAX) return `At most ${COUNT_MAX}`;
  return values.map(check).find((wrong) => wrong !== null) ?? null;
};

export const THRESHOLDS_RULES = {
  amounts: each(isAmountAboveZero),
  days: each(isWholeFrom(1, DAYS_MAX)),
  suspend_below: optional(isAmountAboveZero),
};

export function toThresholdsDraft(thresholds: Thresholds): ThresholdsDraft {
  return {
    amounts: thresholds.amounts,
    days: thresholds.days.map(String),
    suspend_below: thresholds.suspend_below ?? '',
  };
}

export function toThresholds(draft: ThresholdsDraft): NewThresholds {
  const below = draft.suspend_below.trim();
  return {
    amounts: draft.amounts.map((amount) => amount.trim()),
    days: draft.days.map(Number),
    suspend_below: below === '' ? null : below,
  };
}
