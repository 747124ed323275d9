import { DAY_MS, fromIsoTime, toIsoTime } from './clock';

export const BUDGET_PERIODS = ['day', 'week', 'month'] as const;

/** How often a key's budget starts anew; `none` never does. */
export type BudgetPeriod = 'none' | (typeof BUDGET_PERIODS)[number];

/** The epoch was a Thursday; the Monday of its ISO week lies three days before. */
const EPOCH_MONDAY_MS = -3 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** Longer than any month, shorter than two: the first day of the next month lies behind it. */
const BEYOND_MONTH_MS = 32 * DAY_MS;

function monthStart(epochMs: number): number {
  const month = toIsoTime(epochMs).slice(0, 'yyyy-mm'.length);
  return fromIsoTime(`${month}-01T00:00:00.000Z`) ?? 0;
}

/** Start of the UTC day, ISO week or month that holds the time; 0 for budgets without a period. */
export function periodStartOf(period: BudgetPeriod, now: number): number {
  switch (period) {
    case 'none':
      return 0;
    case 'day':
      return Math.floor(now / DAY_MS) * DAY_MS;
    case 'week':
      return Math.floor((now - EPOCH_MONDAY_MS) / WEEK_MS) * WEEK_MS + EPOCH_MONDAY_MS;
    case 'month':
      return monthStart(now);
  }
}

/** When the budget starts anew, milliseconds since the epoch; undefined when it never does. */
export function periodEndOf(period: BudgetPeriod, periodStart: number): number | undefined {
  switch (period) {
    case 'none':
      return undefined;
    case 'day':
      return periodStart + DAY_MS;
    case 'week':
      return periodStart + WEEK_MS;
    case 'month':
      return monthStart(periodStart + BEYOND_MONTH_MS);
  }
}
