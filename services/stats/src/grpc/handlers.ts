import { invalid, toIsoTime } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import {
  type definitionOf,
  fromProtoName,
  fromProtoText,
  fromProtoTime,
  type Handlers,
  type Sent,
  toProtoName,
} from '@tollgate/rpc';
import { INTERVALS } from '../domain/bucket';
import { type Percentiles, percentilesOf } from '../domain/latency-histogram';
import { objectOf, TOKEN_COUNTS } from '../domain/ledger-entry';
import type { RefusedRequest, RefusedRequestStore } from '../domain/ports';
import type { Figures } from '../domain/usage-figures';
import {
  GROUP_DIMENSIONS,
  type QueryUsageOptions,
  queryUsage,
  type UsageQuery,
} from '../operations/query-usage';
import { findRefused, listRefused } from '../operations/refused-requests';

type StatsDefinition = ReturnType<typeof definitionOf<'stats'>>;

/** Translate, query, translate back. */
export function createStatsHandlers(
  options: QueryUsageOptions & {
    readonly refusedRequests: Pick<RefusedRequestStore, 'find' | 'list'>;
  },
): Handlers<StatsDefinition> {
  const { refusedRequests } = options;
  return {
    async getRefusal({ requestId, accountId }) {
      const found = await findRefused(refusedRequests, requestId, fromProtoText(accountId));
      return { refusal: toProtoRefusal(found) };
    },
    async listRefusals({ accountId, beforeRequestId, limit }) {
      const { items, nextCursor } = await listRefused(refusedRequests, {
        accountId: fromProtoText(accountId),
        beforeRequestId: fromProtoText(beforeRequestId),
        limit,
      });
      return { refusals: items.map(toProtoRefusal), nextBeforeRequestId: nextCursor };
    },
    async queryUsage(request, call) {
      const answer = await queryUsage(options, fromProtoQuery(request), call);
      return {
        results: answer.rows.map(({ bucketMs, group, figures }) => ({
          bucket: toIsoTime(bucketMs),
          group: group.map(({ dimension, value }) => ({
            dimension: toProtoName('DIMENSION', dimension),
            value,
          })),
          metrics: toProtoMetrics(figures),
        })),
        totals: toProtoMetrics(answer.totals),
        asOf: toIsoTime(answer.asOfMs),
      };
    },
  };
}

function toProtoRefusal({ atMs, rejected = [], ...rest }: RefusedRequest): Sent<statsV1.Refusal> {
  return { ...rest, rejected, at: toIsoTime(atMs) };
}

function fromProtoQuery(request: statsV1.QueryUsageRequest__Output): UsageQuery {
  const accountId = fromProtoText(request.accountId);
  return {
    accountIds: accountId === undefined ? request.accountIds : [accountId],
    startMs: fromProtoTime(request.start, 'start'),
    endMs: fromProtoTime(request.end, 'end'),
    interval: known(fromProtoName(INTERVALS, 'INTERVAL', request.interval), 'interval'),
    groupBy: request.groupBy.map((dimension) =>
      known(fromProtoName(GROUP_DIMENSIONS, 'DIMENSION', dimension), 'group_by'),
    ),
    models: request.models,
    keyIds: request.keyIds,
    operator: request.operator,
    worst: request.worst,
  };
}

function known<Value>(value: Value | undefined, param: string): Value {
  if (value === undefined) throw invalid(param, `${param} is not known.`);
  return value;
}

function toProtoMetrics(figures: Figures): statsV1.UsageMetrics {
  const latencyMs = percentilesOf(figures.latency);
  const firstTokenMs = percentilesOf(figures.firstToken);
  return {
    requests: figures.requests,
    successfulRequests: figures.succeeded,
    failedRequests: figures.failed,
    clientGoneRequests: figures.clientGone,
    timedOutRequests: figures.timedOut,
    invalidRequests: figures.invalid,
    rateLimitedRequests: figures.rateLimited,
    ...objectOf(TOKEN_COUNTS, (name) => figures[name].toString()),
    totalTokens: (figures.promptTokens + figures.completionTokens).toString(),
    spend: figures.spendNano.toString(),
    ...optional('latencyMs', latencyMs),
    ...optional('firstTokenMs', firstTokenMs),
  };
}

function optional(name: 'latencyMs' | 'firstTokenMs', value: Percentiles | undefined) {
  return value === undefined ? {} : { [name]: value };
}
