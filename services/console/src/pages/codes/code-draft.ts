import { isAmountAboveZero, isFuture, isWholeFrom } from '../../components/checks';
import { toIsoTime } from '../../components/drafts';

/** Codes of one batch, as they are written into the form. */
export interface CodeDraft {
  readonly amount: string;
  readonly count: string;
  readonly note: string;
  /** A time without a zone, which is the viewer's; empty for codes that do not end. */
  readonly expires_at: string;
}

export const EMPTY_CODES: CodeDraft = { amount: '', count: '1', note: '', expires_at: '' };

export const COUNT_MAX = 1_000;

export const CODE_RULES = {
  amount: isAmountAboveZero,
  count: isWholeFrom(1, COUNT_MAX),
  expires_at: isFuture,
};

export function toNewCodes({ amount, count, note, expires_at }: CodeDraft) {
  return {
    amount: amount.trim(),
    count: Number(count),
    note: note.trim(),
    expires_at: toIsoTime(expires_at),
  };
}

/** The filter of a list of codes for the text that somebody reads out: a whole code, or its end. */
export function toPreview(typed: string | undefined): string | undefined {
  const last = (typed ?? '').replace(/[^A-Za-z0-9]/g, '').slice(-PREVIEW_LENGTH);
  return last.length === PREVIEW_LENGTH ? last : undefined;
}

const PREVIEW_LENGTH = 4;
