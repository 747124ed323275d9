/** How finely figures are kept. Months are read from days. */
export const GRANULARITIES = ['minute', 'hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** How finely figures are asked for. */
export type Interval = Granularity | 'month';

const MINUTE_MS = 60_000;
const STEP_MS: Readonly<Record<Granularity, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};
const MONTH_MS_MIN = 28 * STEP_MS.day;

/** Start of the bucket that holds the time, UTC. */
export function bucketStart(interval: Interval, atMs: number): number {
  if (interval === 'month') return startOfMonth(atMs);
  const step = STEP_MS[interval];
  return Math.floor(atMs / step) * step;
}

function startOfMonth(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** The stored granularity that answers the interval. */
export function granularityOf(interval: Interval): Granularity {
  return interval === 'month' ? 'day' : interval;
}

/** An upper bound for the number of buckets between the two times. */
export function bucketsBetween(interval: Interval, startMs: number, endMs: number): number {
  const step = interval === 'month' ? MONTH_MS_MIN : STEP_MS[interval];
  return Math.ceil((endMs - startMs) / step) + 1;
}
