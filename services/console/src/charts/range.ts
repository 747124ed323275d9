import type { UsageInterval } from '../api/schemas';
import type { ChoiceOf } from '../components/choice';
import { DAY_MS, formatBucket, HOUR_MS } from '../format/time';

/** How far back figures reach, as the address names it. */
const RANGES = ['24h', '7d', '30d', '90d'] as const;
type Range = (typeof RANGES)[number];

/** The range of a page's figures. */
export const RANGE_CHOICE = {
  name: 'range',
  label: 'Range',
  values: RANGES,
  initial: '7d',
  labelOf: labelOfRange,
} as const satisfies ChoiceOf<Range>;

interface RangeRule {
  readonly label: string;
  readonly spanMs: number;
  readonly interval: UsageInterval;
}

const RULES: Readonly<Record<Range, RangeRule>> = {
  '24h': { label: '24 hours', spanMs: DAY_MS, interval: 'hour' },
  '7d': { label: '7 days', spanMs: 7 * DAY_MS, interval: 'day' },
  '30d': { label: '30 days', spanMs: 30 * DAY_MS, interval: 'day' },
  '90d': { label: '90 days', spanMs: 90 * DAY_MS, interval: 'day' },
};

export function labelOfRange(range: Range): string {
  return RULES[range].label;
}

/** `since 17 Nov`: the days of a range are days in UTC, of which today is not over. */
export function describeStart(range: Range, nowMs: number): string {
  return `since ${formatBucket(queryOf(range, nowMs).start, 'day')}`;
}

/**
 * The query of a range. It begins with a whole bucket, so that the same range has the same query for
 * as long as its bucket lasts, and ends now.
 */
export function queryOf(
  range: Range,
  nowMs: number,
): { readonly start: string; readonly interval: UsageInterval } {
  const { spanMs, interval } = RULES[range];
  const bucketMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const start = Math.floor(nowMs / bucketMs) * bucketMs + bucketMs - spanMs;
  return { start: new Date(start).toISOString(), interval };
}
