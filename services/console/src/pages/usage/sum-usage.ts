import type { Usage, UsageMetrics } from '../../api/schemas';
import { countFailedAnswers } from '../../api/stats';
import { addMoney, toNano } from '../../format/money';
import { formatNumberOf } from '../../format/quantity';
import { formatBucket } from '../../format/time';

/** What usage is split by. */
export const DIMENSIONS = ['model', 'key', 'user', 'status'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The sum of one part of the usage. */
export interface UsageSum {
  /** What its rows have in common: a value of the dimension, or the beginning of a bucket. */
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  /** Refusals by a rate limit, which are no requests. */
  readonly limited: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly spend: string;
}

type Row = Usage['results'][number];

/** The usage by a dimension, the dearest first; amounts are exact. */
export function sumUsage(
  usage: Pick<Usage, 'results'>,
  dimension: Dimension,
  nameOf: (group: Row['group']) => string,
): readonly UsageSum[] {
  const parts = Map.groupBy(usage.results, ({ group }) => group[dimension] ?? '');
  return [...parts]
    .map(([id, rows]) => sumRows(id, nameOf({ [dimension]: id }), rows))
    .sort((a, b) => compare(toNano(b.spend), toNano(a.spend)) || b.requests - a.requests);
}

/**
 * The usage by bucket, the newest first, without buckets in which nothing was used. When the clocks
 * go back two buckets have one label.
 */
export function sumOverTime(
  usage: Pick<Usage, 'results' | 'interval'>,
  timeZone?: string,
): readonly UsageSum[] {
  return [...Map.groupBy(usage.results, ({ bucket }) => bucket)]
    .map(([bucket, rows]) => sumRows(bucket, formatBucket(bucket, usage.interval, timeZone), rows))
    .sort((a, b) => Date.parse(b.id) - Date.parse(a.id));
}

/** What an answer is split by, which may be the one before; undefined where nothing tells it. */
export function dimensionOf({ results }: Pick<Usage, 'results'>): Dimension | undefined {
  return DIMENSIONS.find((one) => results.some(({ group }) => one in group));
}

/** Whether any row has to say how many a rate limit refused: those are no requests. */
export function hasLimited(rows: readonly Pick<UsageSum, 'limited'>[]): boolean {
  return rows.some(({ limited }) => limited > 0);
}

type Asked = Pick<UsageMetrics, 'requests' | 'rate_limited_requests'>;

/** Whether nothing was even tried: a refusal by a rate limit is no request, but somebody asked. */
export function isUnused({ requests, rate_limited_requests }: Asked): boolean {
  return requests + rate_limited_requests === 0;
}

/** Why charts of a range without requests would be empty. */
export function describeUnserved({ rate_limited_requests: limited }: Asked, range: string): string {
  if (limited === 0) return `Nothing was asked in ${range}.`;
  return `Nothing was served in ${range}: a limit refused ${formatNumberOf(limited, 'request')}.`;
}

/** Names of the part without a value: refused requests had none yet. */
export const UNNAMED: Readonly<Record<Dimension, string>> = {
  model: 'No model: refused before one was asked',
  user: 'No user known, or refused',
  key: 'None',
  status: 'None',
};

/** Splits failures of usage by model: those of vendors, and those that were never begun. */
export function splitFailed(usage: Pick<Usage, 'results'>): {
  readonly failed: number;
  readonly unserved: number;
} {
  const count = (rows: Usage['results']) =>
    rows.reduce((total, { metrics }) => total + countFailedAnswers(metrics), 0);
  const isUnserved = ({ group }: Usage['results'][number]) => (group.model ?? '') === '';
  const unserved = count(usage.results.filter(isUnserved));
  return { failed: count(usage.results) - unserved, unserved };
}

/** The requests behind a row of the usage; a list of requests knows no users. */
export function hrefOfPart(dimension: Dimension, value: string): string | undefined {
  const isRefused = dimension === 'status' ? value === 'rate_limited' : value === '';
  if (isRefused && dimension !== 'user') return '/requests?status=refused';
  if (value === '' || dimension === 'user') return undefined;
  return `/requests?${dimension}=${encodeURIComponent(value)}`;
}

function sumRows(id: string, name: string, rows: readonly Row[]): UsageSum {
  const sum = (read: (one: UsageMetrics) => number) =>
    rows.reduce((total, { metrics }) => total + read(metrics), 0);
  return {
    id,
    name,
    requests: sum(({ requests }) => requests),
    failed: sum(countFailedAnswers),
    limited: sum(({ rate_limited_requests }) => rate_limited_requests),
    promptTokens: sum(({ prompt_tokens }) => prompt_tokens),
    completionTokens: sum(({ completion_tokens }) => completion_tokens),
    spend: addMoney(rows.map(({ metrics }) => metrics.spend)),
  };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
