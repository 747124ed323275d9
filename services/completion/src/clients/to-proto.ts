import { toIsoTime } from '@tollgate/core';
import type { billingV1, routingV1 } from '@tollgate/protos';
import type { ChannelOutcome } from '../domain/ports';
import type { BudgetPeriod, KeyBudget, NumberedRecord, UsageEntry } from '../domain/usage-record';

const PERIODS = {
  none: 'BUDGET_PERIOD_UNSPECIFIED',
  day: 'BUDGET_PERIOD_DAY',
  week: 'BUDGET_PERIOD_WEEK',
  month: 'BUDGET_PERIOD_MONTH',
} as const satisfies Record<BudgetPeriod, billingV1.BudgetPeriod>;

const OUTCOMES = {
  success: 'OUTCOME_KIND_SUCCESS',
  failure: 'OUTCOME_KIND_FAILURE',
  timeout: 'OUTCOME_KIND_TIMEOUT',
  rate_limited: 'OUTCOME_KIND_RATE_LIMITED',
  credential_refused: 'OUTCOME_KIND_CREDENTIAL_REFUSED',
} as const satisfies Record<ChannelOutcome['kind'], routingV1.OutcomeKind>;

/** A key's budget for billing. */
export function toProtoBudget(budget: KeyBudget): billingV1.KeyBudget {
  const { keyId, limit, period } = budget;
  return { keyId, limit: limit.toString(), period: PERIODS[period] };
}

/** A record of the spool for SettleUsage. */
export function toProtoUsageRecord(record: NumberedRecord): billingV1.UsageRecord {
  const place = {
    accountId: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    endedAt: toIsoTime(record.endedAtMs),
  };
  if (record.kind === 'close') return { ...place, kind: 'USAGE_KIND_CLOSE' };
  return { ...place, kind: 'USAGE_KIND_USAGE', ...toProtoFinished(record) };
}

function toProtoFinished(entry: UsageEntry): billingV1.UsageRecord {
  return {
    requestId: entry.requestId,
    clientRequestId: entry.clientRequestId ?? '',
    keyId: entry.keyId,
    userId: entry.userId ?? '',
    model: entry.model,
    requestedModel: entry.requestedModel,
    channelId: entry.channelId ?? '',
    ownChannel: entry.ownChannel,
    priceVersion: entry.priceVersion,
    promptPrice: entry.prices.prompt.toString(),
    completionPrice: entry.prices.completion.toString(),
    cachedPromptPrice: entry.prices.cachedPrompt.toString(),
    promptTokens: entry.promptTokens,
    completionTokens: entry.completionTokens,
    cachedTokens: entry.cachedTokens,
    drawn: entry.drawn.toString(),
    amount: entry.amount.toString(),
    source: entry.source,
    reason: entry.reason,
    status: entry.status,
    errorCode: entry.errorCode ?? '',
    stream: entry.stream,
    attempts: entry.attempts,
    latencyMs: Math.round(entry.latencyMs),
    ...(entry.firstTokenMs === null ? {} : { firstTokenMs: Math.round(entry.firstTokenMs) }),
    startedAt: toIsoTime(entry.startedAtMs),
    vendorAbsorbed: entry.vendorAbsorbed.toString(),
    ...(entry.budget === null ? {} : { budget: toProtoBudget(entry.budget) }),
  };
}

/** A channel's outcome for ReportOutcomes. */
export function toProtoOutcome(outcome: ChannelOutcome): routingV1.ChannelOutcome {
  const { kind, ...rest } = outcome;
  return { ...rest, kind: OUTCOMES[kind] };
}
