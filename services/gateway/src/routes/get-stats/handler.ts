import { AppError, type Clock, toIsoTime } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import type { StatsClient } from '../../clients/control-plane';
import { DAY_MS } from '../../domain/limits';
import { actsAsOperator, type Principal } from '../../domain/principal';
import { owed, textOrNull, toAmount } from '../resources/values';
import { type Operation, operation } from '../route';
import { toCsv } from './csv';
import { getStatsSchema, type StatsDimension, type StatsMetrics } from './schema';

const RANGE_DEFAULT_MS = 30 * DAY_MS;
const ALL_ACCOUNTS = 'all';

const INTERVALS = {
  minute: 'INTERVAL_MINUTE',
  hour: 'INTERVAL_HOUR',
  day: 'INTERVAL_DAY',
  month: 'INTERVAL_MONTH',
} as const;

const DIMENSION_NAMES = {
  model: 'DIMENSION_MODEL',
  key: 'DIMENSION_KEY',
  user: 'DIMENSION_USER',
  status: 'DIMENSION_STATUS',
  channel: 'DIMENSION_CHANNEL',
  account: 'DIMENSION_ACCOUNT',
} as const;

/** The same figures as JSON or as CSV. */
export function createGetStats(stats: StatsClient, clock: Clock): Operation {
  return operation(getStatsSchema, async ({ principal, query, context }) => {
    const groupBy = query.group_by ?? [];
    requireAllowed(principal, groupBy, query.account_id);
    const end = query.end ?? toIsoTime(clock.now());
    const start = query.start ?? toIsoTime(Date.parse(end) - RANGE_DEFAULT_MS);
    const answer = await stats.queryUsage(
      {
        accountId: accountOf(principal, query.account_id),
        start,
        end,
        interval: INTERVALS[query.interval],
        groupBy: groupBy.map((dimension) => DIMENSION_NAMES[dimension]),
        models: query.model ?? [],
        keyIds: query.key_id ?? [],
        operator: actsAsOperator(principal),
      },
      context.rpc,
    );
    const results = answer.results.map((result) => ({
      bucket: result.bucket,
      group: toGroup(result.group),
      metrics: toMetrics(owed(result.metrics)),
    }));
    if (query.format === 'csv') {
      return { text: toCsv(groupBy, results), contentType: 'text/csv; charset=utf-8' };
    }
    const totals = toMetrics(owed(answer.totals));
    const as_of = textOrNull(answer.asOf);
    return { data: { interval: query.interval, start, end, results, totals, as_of } };
  });
}

function requireAllowed(
  principal: Principal,
  groupBy: readonly StatsDimension[],
  accountId: string | undefined,
): void {
  if (actsAsOperator(principal)) return;
  const own = accountId === undefined || accountId === principal.accountId;
  if (own && !groupBy.includes('channel') && !groupBy.includes('account')) return;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'Only operators may group by channel or account, or see other accounts.',
    param: own ? 'group_by' : 'account_id',
  });
}

function accountOf(principal: Principal, asked: string | undefined): string {
  if (asked === undefined) return principal.accountId;
  return asked === ALL_ACCOUNTS ? '' : asked;
}

function toGroup(group: readonly statsV1.GroupValue__Output[]): Record<string, string> {
  const named = group.map(
    ({ dimension, value }) => [dimension.replace('DIMENSION_', '').toLowerCase(), value] as const,
  );
  return Object.fromEntries(named);
}

function toMetrics(metrics: statsV1.UsageMetrics__Output): StatsMetrics {
  return {
    requests: Number(metrics.requests),
    successful_requests: Number(metrics.successfulRequests),
    failed_requests: Number(metrics.failedRequests),
    rate_limited_requests: Number(metrics.rateLimitedRequests),
    prompt_tokens: Number(metrics.promptTokens),
    completion_tokens: Number(metrics.completionTokens),
    cached_tokens: Number(metrics.cachedTokens),
    total_tokens: Number(metrics.totalTokens),
    spend: toAmount(metrics.spend),
    latency_ms: toPercentiles(metrics.latencyMs),
    first_token_ms: toPercentiles(metrics.firstTokenMs),
  };
}

function toPercentiles(source: statsV1.Percentiles__Output | null) {
  if (source === null) return null;
  const { p50, p95, p99 } = source;
  return { p50, p95, p99 };
}
