import { z } from 'zod';
import { amount, isoTime } from '../resources/values';
import type { OperationSchema } from '../route';

export const DIMENSIONS = ['model', 'key', 'user', 'status', 'channel', 'account'] as const;
const dimension = z.enum(DIMENSIONS);
export type StatsDimension = z.infer<typeof dimension>;

const LIST_MAX = 50;

/** A comma list in a query, each item once. */
function commaList<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
    .pipe(z.array(item).max(LIST_MAX));
}

const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();
const metrics = z.object({
  requests: z.int(),
  successful_requests: z.int(),
  failed_requests: z.int(),
  rate_limited_requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  total_tokens: z.int(),
  spend: amount,
  latency_ms: percentiles,
  first_token_ms: percentiles,
});
export type StatsMetrics = z.infer<typeof metrics>;

const GROUPING =
  'Comma list; channel and account for operators. Requests that a rate limit refused have no ' +
  'model, user or channel: grouped by these they are in the totals alone.';
const interval = z.enum(['minute', 'hour', 'day', 'month']);

export const getStatsSchema = {
  summary: 'Query usage statistics',
  query: z.strictObject({
    start: isoTime.optional().meta({
      description:
        'Inclusive; 30 days before end when absent. Refused by minute and hour where none are kept.',
    }),
    end: isoTime.optional().meta({ description: 'Exclusive; now when absent.' }),
    interval: interval.default('day'),
    group_by: commaList(dimension).optional().meta({ type: 'string', description: GROUPING }),
    model: commaList(z.string().min(1).max(256)).optional().meta({ type: 'string' }),
    key_id: commaList(z.string().min(1).max(128)).optional().meta({ type: 'string' }),
    account_id: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'Operators only: another account, or "all".' }),
    format: z.enum(['json', 'csv']).default('json'),
  }),
  data: z.object({
    interval,
    start: isoTime,
    end: isoTime,
    results: z.array(
      z.object({ bucket: isoTime, group: z.record(z.string(), z.string()), metrics }),
    ),
    totals: metrics,
    as_of: isoTime.nullable().meta({ description: 'All that was posted before is included.' }),
  }),
  text: 'text/csv',
} as const satisfies OperationSchema;
