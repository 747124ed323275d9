import type { StatsMetrics } from './schema';

/** One row of the statistics. */
export interface StatsRow {
  readonly bucket: string;
  readonly group: Readonly<Record<string, string>>;
  readonly metrics: StatsMetrics;
}

const COUNTS = [
  'requests',
  'successful_requests',
  'failed_requests',
  'rate_limited_requests',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'total_tokens',
  'spend',
] as const;
const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** RFC 4180 with a header line; times and dimensions first, then the figures. */
export function toCsv(dimensions: readonly string[], rows: readonly StatsRow[]): string {
  const header = [
    'bucket',
    ...dimensions,
    ...COUNTS,
    ...PERCENTILES.map((name) => `latency_ms_${name}`),
    ...PERCENTILES.map((name) => `first_token_ms_${name}`),
  ];
  const lines = rows.map(({ bucket, group, metrics }) => [
    bucket,
    ...dimensions.map((name) => quote(group[name] ?? '')),
    ...COUNTS.map((name) => String(metrics[name])),
    ...PERCENTILES.map((name) => String(metrics.latency_ms?.[name] ?? '')),
    ...PERCENTILES.map((name) => String(metrics.first_token_ms?.[name] ?? '')),
  ]);
  return [header, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Names come from callers: a spreadsheet must not take one for a formula. */
function quote(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}
