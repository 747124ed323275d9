import type { Usage, UsageInterval, UsageMetrics } from '../api/schemas';
import { toApproximate } from '../format/money';
import { DAY_MS, formatBucket } from '../format/time';
import { sumUsage } from './usage-table';

/** Values over time, ready to be drawn: a row for every bucket, also where nothing happened. */
export interface Series {
  /** The dearest first, the rest as one. */
  readonly names: readonly string[];
  readonly rows: readonly {
    readonly at: string;
    readonly label: string;
    /** In the order of the names. */
    readonly values: readonly (number | null)[];
  }[];
}

export type Metric = 'spend' | 'requests' | 'total_tokens' | 'failed_requests';

/** More cannot be told apart by colour. */
const SERIES_MAX = 6;
/** A chart of more bars than this shows nothing; the API refuses such ranges too. */
const BUCKETS_MAX = 2_000;
export const OTHERS = 'Other';

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: DAY_MS } as const;

/** One metric of an answer, split by a dimension, with the smallest parts as "Other". */
export function toSeries(
  usage: Usage,
  metric: Metric,
  nameOf: (group: Readonly<Record<string, string>>) => string,
): Series {
  // By spend whatever is drawn, so that a name has one colour in all charts of an answer.
  const ranked = sumUsage(usage, ({ group }) => nameOf(group)).map(({ name }) => name);
  const isTooMany = ranked.length > SERIES_MAX;
  const names = isTooMany ? [...ranked.slice(0, SERIES_MAX - 1), OTHERS] : ranked;

  const byBucket = new Map<number, number[]>();
  for (const { bucket, group, metrics } of usage.results) {
    const at = Date.parse(bucket);
    const values = byBucket.get(at) ?? names.map(() => 0);
    const found = names.indexOf(nameOf(group));
    const index = found === -1 ? names.length - 1 : found;
    values[index] = (values[index] ?? 0) + readMetric(metrics, metric);
    byBucket.set(at, values);
  }
  const rows = listBuckets(usage).map((at) => {
    const iso = new Date(at).toISOString();
    const label = formatBucket(iso, usage.interval);
    return { at: iso, label, values: byBucket.get(at) ?? names.map(() => 0) };
  });
  return { names, rows };
}

function readMetric(metrics: UsageMetrics, metric: Metric): number {
  return metric === 'spend' ? toApproximate(metrics.spend) : metrics[metric];
}

/** How long answers took: a bucket without requests has no time, which is no zero. */
export function toLatency(usage: Usage): Series {
  const times = new Map(
    usage.results.map(({ bucket, metrics }) => [Date.parse(bucket), metrics.latency_ms]),
  );
  const rows = listBuckets(usage).map((at) => {
    const iso = new Date(at).toISOString();
    const { p50 = null, p95 = null } = times.get(at) ?? {};
    return { at: iso, label: formatBucket(iso, usage.interval), values: [p50, p95] };
  });
  return { names: ['p50', 'p95'], rows };
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
