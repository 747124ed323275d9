import { nano } from '@tollgate/core';
import type { BudgetPeriod, UsageRecord, UsageSource } from '../domain/usage-record';

/** A usage record within a journal item or a ledger entry. Amounts are Int64. */
export interface UsageRecordDocument {
  readonly account_id: string;
  readonly lease: number;
  readonly number: number;
  readonly holder: string;
  readonly epoch: number;
  readonly ended_at: string;
  readonly request_id: string;
  readonly client_request_id: string | null;
  readonly key_id: string;
  readonly user_id: string | null;
  readonly model: string;
  readonly requested_model: string;
  readonly channel_id: string | null;
  readonly own_channel: boolean;
  readonly price_version: number;
  readonly prices: {
    readonly prompt: bigint;
    readonly completion: bigint;
    readonly cached_prompt: bigint;
  };
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly drawn: bigint;
  readonly amount: bigint;
  readonly source: UsageSource;
  readonly reason: string;
  readonly status: 'succeeded' | 'failed';
  readonly error_code: string | null;
  readonly stream: boolean;
  readonly attempts: number;
  readonly latency_ms: number;
  readonly first_token_ms: number | null;
  readonly started_at: string;
  readonly vendor_absorbed: bigint;
  readonly budget: { readonly limit: bigint; readonly period: BudgetPeriod } | null;
}

export function toUsageRecordDocument(record: UsageRecord): UsageRecordDocument {
  return {
    account_id: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    ended_at: record.endedAt,
    request_id: record.requestId,
    client_request_id: record.clientRequestId ?? null,
    key_id: record.keyId,
    user_id: record.userId ?? null,
    model: record.model,
    requested_model: record.requestedModel,
    channel_id: record.channelId ?? null,
    own_channel: record.ownChannel,
    price_version: record.priceVersion,
    prices: {
      prompt: record.prices.prompt,
      completion: record.prices.completion,
      cached_prompt: record.prices.cachedPrompt,
    },
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    cached_tokens: record.cachedTokens,
    drawn: record.drawn,
    amount: record.amount,
    source: record.source,
    reason: record.reason,
    status: record.status,
    error_code: record.errorCode ?? null,
    stream: record.stream,
    attempts: record.attempts,
    latency_ms: record.latencyMs,
    first_token_ms: record.firstTokenMs ?? null,
    started_at: record.startedAt,
    vendor_absorbed: record.vendorAbsorbed,
    budget:
      record.budget === undefined
        ? null
        : { limit: record.budget.limit, period: record.budget.period },
  };
}

export function fromUsageRecordDocument(document: UsageRecordDocument): UsageRecord {
  return {
    kind: 'usage',
    accountId: document.account_id,
    lease: document.lease,
    number: document.number,
    holder: document.holder,
    epoch: document.epoch,
    endedAt: document.ended_at,
    requestId: document.request_id,
    clientRequestId: document.client_request_id ?? undefined,
    keyId: document.key_id,
    userId: document.user_id ?? undefined,
    model: document.model,
    requestedModel: document.requested_model,
    channelId: document.channel_id ?? undefined,
    ownChannel: document.own_channel,
    priceVersion: document.price_version,
    prices: {
      prompt: nano(document.prices.prompt),
      completion: nano(document.prices.completion),
      cachedPrompt: nano(document.prices.cached_prompt),
    },
    promptTokens: document.prompt_tokens,
    completionTokens: document.completion_tokens,
    cachedTokens: document.cached_tokens,
    drawn: nano(document.drawn),
    amount: nano(document.amount),
    source: document.source,
    reason: document.reason,
    status: document.status,
    errorCode: document.error_code ?? undefined,
    stream: document.stream,
    attempts: document.attempts,
    latencyMs: document.latency_ms,
    firstTokenMs: document.first_token_ms ?? undefined,
    startedAt: document.started_at,
    vendorAbsorbed: nano(document.vendor_absorbed),
    budget:
      document.budget === null
        ? undefined
        : { limit: nano(document.budget.limit), period: document.budget.period },
  };
}
