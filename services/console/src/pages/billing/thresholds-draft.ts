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

/** Thresholds that hold by default were written by nobody: their fields are empty. */
export function toThresholdsDraft(thresholds: Thresholds): ThresholdsDraft {
  const written = thresholds.source === 'default' ? { amounts: [], days: [] } : thresholds;
  return { ...toListsDraft(written), suspend_below: thresholds.suspend_below ?? '' };
}

/** Where the default holds and none is written, its amount of now becomes the account's own. */
export function toThresholds(
  draft: ThresholdsDraft,
  { amounts, source }: Pick<Thresholds, 'amounts' | 'source'>,
): NewThresholds {
  const below = draft.suspend_below.trim();
  const lists = toLists(draft);
  const isKept = source === 'default' && lists.amounts.length + lists.days.length === 0;
  return {
    ...lists,
    ...(isKept ? { amounts: amounts.filter((amount) => isAmountAboveZero(amount) === null) } : {}),
    suspend_below: below === '' ? null : below,
  };
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
