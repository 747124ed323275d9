import type { NewThresholds, Thresholds } from '../../api/schemas';
import { each, isAmountAboveZero, isWholeAboveZero, optional } from '../../components/checks';

/** Amounts and days, one each, of an account or of a plan. */
export interface ThresholdLists {
  amounts: string[];
  days: string[];
}

/** Thresholds of an account as the form holds them. */
export interface ThresholdsDraft extends ThresholdLists {
  /** Empty lets all of the balance be spent. */
  suspend_below: string;
}

export const LISTS_RULES = { amounts: each(isAmountAboveZero), days: each(isWholeAboveZero) };

export const THRESHOLDS_RULES = { ...LISTS_RULES, suspend_below: optional(isAmountAboveZero) };

export function toThresholdsDraft(thresholds: Thresholds): ThresholdsDraft {
  return { ...toListsDraft(thresholds), suspend_below: thresholds.suspend_below ?? '' };
}

export function toThresholds(draft: ThresholdsDraft): NewThresholds {
  const below = draft.suspend_below.trim();
  return { ...toLists(draft), suspend_below: below === '' ? null : below };
}

export function toListsDraft({
  amounts,
  days,
}: {
  readonly amounts: readonly string[];
  readonly days: readonly number[];
}): ThresholdLists {
  return { amounts: [...amounts], days: days.map(String) };
}

export function toLists({ amounts, days }: ThresholdLists): { amounts: string[]; days: number[] } {
  return { amounts: amounts.map((amount) => amount.trim()), days: days.map(Number) };
}
