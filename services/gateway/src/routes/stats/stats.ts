import { AppError, DAY_MS, toIsoTime } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import { fromProtoName, toProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { actsAsOperator, type Principal } from '../../auth/principal';
import { CSV_TYPE } from '../../http/content-types';
import { amount } from '../../money/amounts';
import { required } from '../asking/required';
import { operation } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { quote, toCsv } from '../payloads/csv';
import { isoTime, named, queryInteger, textOrNull } from '../payloads/values';
import { tokenFields } from '../requests/usage-fields';

const DIMENSIONS = ['model', 'key', 'user', 'status', 'channel', 'account'] as const;
const dimension = z.enum(DIMENSIONS);
type StatsDimension = z.infer<typeof dimension>;

const LIST_MAX = 50;

const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();
const LATENCY =
  'Of requests that were answered; by status, rows of failed ones tell how long those took. By ' +
  'channel, requests that waited for another channel first are left out of both.';
const metricsSchema = named('Metrics', {
  requests: z.int(),
  successful_requests: z.int(),
  failed_requests: z
    .int()
    .describe(
      'With those that were answered with 503 and never begun, which have no model and no channel ' +
        'and are kept as long as rate_limited_requests.',
    ),
  client_gone_requests: z
    .int()
    .describe('Of the failed ones, those whose client closed the connection.'),
  timed_out_requests: z
    .int()
    .describe('Of the failed ones, those whose vendor did not answer in time.'),
  invalid_requests: z
    .int()
    .describe('Of the failed ones, those that a vendor found wrong: their clients were told 400.'),
  rate_limited_requests: z
    .int()
    .describe(
      'Kept for 7 days by minute and for 90 days by hour and day: before that none are counted.',
    ),
  ...tokenFields,
  total_tokens: z.int(),
  spend: amount,
  latency_ms: percentiles.describe(LATENCY),
  first_token_ms: percentiles.describe(
    'Of streams that began, whether they came to their end or not.',
  ),
});
export type StatsMetrics = z.output<typeof metricsSchema>;

const GROUPING =
  'Comma list; channel and account for operators. Requests that a rate limit refused, or that no ' +
  'channel could take, have no model, user or channel: grouped by these they are in a row whose ' +
  'value is empty.';
const WORST =
  'Only so many groups, those with the most failed and refused requests, the worst first: each is ' +
  'one row of the whole range.';
const WORST_MAX = 200;
const interval = z.enum(['minute', 'hour', 'day', 'month']);

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
/** Columns that came later stand at the end, so that those before them keep their places. */
const LATER_COUNTS = [
  'cache_write_tokens',
  'reasoning_tokens',
  'client_gone_requests',
  'prompt_audio_tokens',
  'completion_audio_tokens',
  'timed_out_requests',
  'invalid_requests',
] as const;
const PERCENTILES = ['p50', 'p95', 'p99'] as const;

const RANGE_DEFAULT_MS = 30 * DAY_MS;
const ALL_ACCOUNTS = 'all';

/** The same figures as JSON or as CSV. */
export const getStats = operation(
  {
    summary: 'Query usage statistics',
    query: z.strictObject({
      start: isoTime
        .optional()
        .describe(
          'Inclusive; 30 days before end when absent. Refused by minute and hour where none are kept.',
        ),
      end: isoTime.optional().describe('Exclusive; now when absent.'),
      interval: interval.default('day'),
      group_by: commaList(dimension)
        .optional()
        .meta({
          type: 'string',
          pattern: commaListOf(DIMENSIONS.join('|'), DIMENSIONS.length),
          description: GROUPING,
        }),
      model: commaList(z.string().min(1).max(256))
        .optional()
        .meta({ type: 'string', pattern: commaListOf('[!-+\\--~]{1,256}', LIST_MAX) }),
      key_id: commaList(z.string().min(1).max(128))
        .optional()
        .meta({ type: 'string', pattern: commaListOf('[!-+\\--~]{1,128}', LIST_MAX) }),
      account_id: commaList(z.string().min(1).max(128))
        .optional()
        .meta({
          type: 'string',
          pattern: commaListOf('[!-+\\--~]{1,128}', LIST_MAX),
          description: 'Operators only: other accounts as a comma list, or "all".',
        }),
      worst: queryInteger(1, WORST_MAX).optional().describe(WORST),
      format: z.enum(['json', 'csv']).default('json'),
    }),
    data: z.object({
      interval,
      start: isoTime,
      end: isoTime,
      results: z.array(
        z.object({
          bucket: isoTime,
          group: z.record(z.string(), z.string()),
          metrics: metricsSchema,
        }),
      ),
      totals: metricsSchema,
      as_of: isoTime
        .nullable()
        .describe(
          'When the newest entry that is included was posted. Of one account all before it is included; of several, one may be behind.',
        ),
    }),
    rules: {
      start: 'must be within what is kept by that interval, and the range small enough to answer',
      end: 'must be after start',
      interval: 'may not cut the range into too many buckets',
    },
    text: 'text/csv',
  },
  async ({ principal, query }, { stats, clock }) => {
    const groupBy = query.group_by ?? [];
    requireAllowed(principal, groupBy, query.account_id);
    const end = query.end ?? toIsoTime(clock.now());
    const start = query.start ?? toIsoTime(Date.parse(end) - RANGE_DEFAULT_MS);
    const answer = await stats.queryUsage({
      ...toAccounts(principal, query.account_id),
      start,
      end,
      interval: toProtoName('INTERVAL', query.interval),
      groupBy: groupBy.map((each) => toProtoName('DIMENSION', each)),
      models: query.model ?? [],
      keyIds: query.key_id ?? [],
      operator: actsAsOperator(principal),
      ...(query.worst === undefined ? {} : { worst: query.worst }),
    });
    const results = answer.results.map((result) => ({
      bucket: result.bucket,
      group: toGroup(result.group),
      metrics: toMetrics(required(result.metrics)),
    }));
    if (query.format === 'csv') {
      return { text: toStatsCsv(groupBy, results), contentType: CSV_TYPE };
    }
    const totals = toMetrics(required(answer.totals));
    const as_of = textOrNull(answer.asOf);
    return { data: { interval: query.interval, start, end, results, totals, as_of } };
  },
);

/** A comma list in a query, each item once. */
function commaList<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
    .pipe(z.array(item).max(LIST_MAX));
}

/** The same as a pattern, for items that need no trimming. */
function commaListOf(item: string, countMax: number): string {
  return `^(${item})(,(${item})){0,${countMax - 1}}$`;
}

function requireAllowed(
  principal: Principal,
  groupBy: readonly StatsDimension[],
  accountIds: readonly string[] = [],
): void {
  if (actsAsOperator(principal)) return;
  const own = accountIds.every((id) => id === principal.accountId);
  if (own && !groupBy.includes('channel') && !groupBy.includes('account')) return;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'Only operators may group by channel or account, or see other accounts.',
    param: own ? 'group_by' : 'account_id',
  });
}

/** Whose figures are asked for; without an account they are of all. */
function toAccounts(
  { accountId }: Principal,
  asked: readonly string[] = [accountId],
): Pick<statsV1.QueryUsageRequest, 'accountId' | 'accountIds'> {
  if (asked.includes(ALL_ACCOUNTS)) return { accountId: '', accountIds: [] };
  const [only = accountId, ...others] = asked;
  return others.length === 0
    ? { accountId: only, accountIds: [] }
    : { accountId: '', accountIds: [...asked] };
}

function toGroup(group: readonly statsV1.GroupValue__Output[]): Record<string, string> {
  const pairs = group.flatMap(({ dimension, value }) => {
    const name = fromProtoName(DIMENSIONS, 'DIMENSION', dimension);
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function toMetrics(metrics: statsV1.UsageMetrics__Output): StatsMetrics {
  return answerOf(metricsSchema, metrics, {
    latency_ms: toPercentiles(metrics.latencyMs),
    first_token_ms: toPercentiles(metrics.firstTokenMs),
  });
}

function toPercentiles(source: statsV1.Percentiles__Output | null) {
  if (source === null) return null;
  const { p50, p95, p99 } = source;
  return { p50, p95, p99 };
}

/** One row of the statistics. */
interface StatsRow {
  readonly bucket: string;
  readonly group: Readonly<Record<string, string>>;
  readonly metrics: StatsMetrics;
}

/** Times and dimensions first, then the figures. */
function toStatsCsv(dimensions: readonly string[], rows: readonly StatsRow[]): string {
  const header = [
    'bucket',
    ...dimensions,
    ...COUNTS,
    ...PERCENTILES.map((name) => `latency_ms_${name}`),
    ...PERCENTILES.map((name) => `first_token_ms_${name}`),
    ...LATER_COUNTS,
  ];
  const lines = rows.map(({ bucket, group, metrics }) => [
    bucket,
    ...dimensions.map((name) => quote(group[name] ?? '')),
    ...COUNTS.map((name) => metrics[name]),
    ...PERCENTILES.map((name) => metrics.latency_ms?.[name] ?? ''),
    ...PERCENTILES.map((name) => metrics.first_token_ms?.[name] ?? ''),
    ...LATER_COUNTS.map((name) => metrics[name]),
  ]);
  return toCsv([header, ...lines]);
}

/**
 * Failed by no doing of the client: without those whose client left, or asked for what a vendor
 * refuses as wrong.
 */
export function countServerFailures(
  metrics: statsV1.UsageMetrics__Output | null | undefined,
): number {
  const byClient = Number(metrics?.clientGoneRequests ?? 0) + Number(metrics?.invalidRequests ?? 0);
  return Number(metrics?.failedRequests ?? 0) - byClient;
}
