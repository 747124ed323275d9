import type { KeyBudget } from '../auth/principal';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday: its ISO week began three days before. */
const EPOCH_MONDAY_MS = -3 * DAY_MS;

/**
 * When the budget period that holds the time ends, milliseconds since the epoch: days, ISO weeks
 * and months of UTC, as billing counts them. Undefined for a budget that never starts anew.
 */
export function periodEndMs(period: KeyBudget['period'], nowMs: number): number | undefined {
  switch (period) {
    case 'never':
      return undefined;
    case 'day':
      return Math.floor(nowMs / DAY_MS) * DAY_MS + DAY_MS;
    case 'week':
      return Math.floor((nowMs - EPOCH_MONDAY_MS) / WEEK_MS) * WEEK_MS + EPOCH_MONDAY_MS + WEEK_MS;
    case 'month':
      return nextMonthMs(nowMs);
  }
}

function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}
