import type { Usage, UsageInterval, UsageMetrics } from '../api/schemas';
import { countFailedAnswers } from '../api/stats';
import { toApproximate } from '../format/money';
import { DAY_MS, formatBucket, HOUR_MS, MINUTE_MS } from '../format/time';

/** Values over time, ready to be drawn: a row for every bucket, also where nothing happened. */
export interface Series {
  /** Names of the series, the largest first and the rest as one. */
  readonly names: readonly string[];
  readonly rows: readonly {
    readonly at: string;
    readonly label: string;
    /** In the order of the names. */
    readonly values: readonly (number | null)[];
  }[];
}

export type Metric = 'spend' | 'requests' | 'total_tokens' | 'failed_requests';

/** Most series of a chart: more cannot be told apart by colour. */
const SERIES_MAX = 6;
/** Buckets beyond these are left out: so many bars could not be told apart. */
const BUCKETS_MAX = 2_000;
export const OTHERS = 'Other';

const INTERVALS_MAX = 4;
/** Steps that people count in, times a power of ten. */
const STEPS = [1, 2, 5, 10] as const;
/** Takes away what floating-point numbers add at the end. */
const PRECISION = 1 - 1e-9;

const STEP_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

/** One metric of an answer, split by a dimension, with the smallest parts as "Other". */
export function toSeries(
  usage: Usage,
  metric: Metric,
  nameOf: (group: Readonly<Record<string, string>>) => string,
): Series {
  const ranked = rank(usage, metric, nameOf);
  const isTooMany = ranked.length > SERIES_MAX;
  const names = isTooMany ? [...ranked.slice(0, SERIES_MAX - 1), OTHERS] : ranked;

  const byBucket = new Map<number, number[]>();
  for (const { bucket, group, metrics } of usage.results) {
    const at = Date.parse(bucket);
    const values = byBucket.get(at) ?? names.map(() => 0);
    const value = readMetric(metrics, metric);
    const found = names.indexOf(nameOf(group));
    const index = found === -1 ? names.length - 1 : found;
    if (value !== 0) values[index] = (values[index] ?? 0) + value;
    byBucket.set(at, values);
  }
  const rows = listBuckets(usage).map((at) => {
    const iso = new Date(at).toISOString();
    const label = formatBucket(iso, usage.interval);
    return { at: iso, label, values: byBucket.get(at) ?? names.map(() => 0) };
  });
  return { names, rows };
}

/** Names by the sum of the drawn metric, largest first, so that "Other" is the smallest; none of 0. */
function rank(
  usage: Usage,
  metric: Metric,
  nameOf: (group: Readonly<Record<string, string>>) => string,
): readonly string[] {
  const sums = new Map<string, number>();
  for (const { group, metrics } of usage.results) {
    const name = nameOf(group);
    sums.set(name, (sums.get(name) ?? 0) + readMetric(metrics, metric));
  }
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
}

function readMetric(metrics: UsageMetrics, metric: Metric): number {
  if (metric === 'spend') return toApproximate(metrics.spend);
  return metric === 'failed_requests' ? countFailedAnswers(metrics) : metrics[metric];
}

/** How long answers took: a bucket without requests has no time, which is no zero. */
export function toLatency(
  usage: Usage,
  time: 'latency_ms' | 'first_token_ms' = 'latency_ms',
): Series {
  return toFixedSeries(usage, ['half within (p50)', '95% within (p95)'], (metrics) => [
    metrics?.[time]?.p50 ?? null,
    metrics?.[time]?.p95 ?? null,
  ]);
}

/** How requests ended: an answer of one group, such as those of one channel. */
export function toOutcomes(usage: Usage): Series {
  return toFixedSeries(usage, ['Succeeded', 'Failed', 'Client left'], (metrics) => [
    metrics?.successful_requests ?? 0,
    metrics === undefined ? 0 : countFailedAnswers(metrics),
    metrics?.client_gone_requests ?? 0,
  ]);
}

/** A row for every bucket of an answer that has at most one group. */
function toFixedSeries(
  usage: Usage,
  names: readonly string[],
  read: (metrics: UsageMetrics | undefined) => readonly (number | null)[],
): Series {
  const byBucket = new Map(
    usage.results.map(({ bucket, metrics }) => [Date.parse(bucket), metrics]),
  );
  const rows = listBuckets(usage).map((at) => {
    const iso = new Date(at).toISOString();
    return {
      at: iso,
      label: formatBucket(iso, usage.interval),
      values: read(byBucket.get(at)),
    };
  });
  return { names, rows };
}

/** Whether a drawing would have nothing but its axes. */
export function isBlank({ rows }: Pick<Series, 'rows'>): boolean {
  return rows.every(({ values }) => values.every((value) => value === null || value === 0));
}

/** Round heights for an axis from zero to above the highest value, at most five of them. */
export function toTicks(
  { rows }: Series,
  { isStacked, isWhole }: { readonly isStacked: boolean; readonly isWhole: boolean },
): readonly number[] {
  const heights = rows.map(({ values }) => {
    const known = values.filter((value) => value !== null);
    return isStacked ? known.reduce((sum, value) => sum + value, 0) : Math.max(0, ...known);
  });
  const highest = Math.max(0, ...heights);
  if (highest === 0) return [0, 1];
  const least = Math.max(highest / INTERVALS_MAX, isWhole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (STEPS.find((factor) => factor * power >= least * PRECISION) ?? 10);
  const count = Math.ceil((highest / step) * PRECISION);
  // A product keeps the digits of the step, which a sum would lose.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Every bucket of the range, oldest first. */
export function listBuckets(usage: Pick<Usage, 'interval' | 'start' | 'end'>): readonly number[] {
  const { interval } = usage;
  const end = Date.parse(usage.end);
  const found: number[] = [];
  let at = startOfBucket(Date.parse(usage.start), interval);
  while (at < end && found.length < BUCKETS_MAX) {
    found.push(at);
    at = interval === 'month' ? startOfNextMonth(at) : at + STEP_MS[interval];
  }
  return found;
}

function startOfBucket(at: number, interval: UsageInterval): number {
  if (interval !== 'month') return Math.floor(at / STEP_MS[interval]) * STEP_MS[interval];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function startOfNextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
