import { parseNano } from '@tollgate/core';
import type { UsageRecord as UsageRecordEvent } from '@tollgate/events';
import type { KeyLimit, SpoolRecord } from '../domain/usage-record';

function fromEventBudget(
  budget: { readonly limit: string; readonly period: 'day' | 'week' | 'month' | null } | null,
): KeyLimit | undefined {
  if (budget === null) return undefined;
  return { limit: parseNano(budget.limit), period: budget.period ?? 'none' };
}

/** A record as completion announces it. Its schema has been checked by the bus. */
export function fromEventUsageRecord(data: UsageRecordEvent): SpoolRecord {
  const place = {
    accountId: data.account_id,
    lease: data.lease,
    number: data.number,
    holder: data.holder,
    epoch: data.epoch,
    endedAt: data.ended_at,
  };
  if (data.kind === 'close') return { ...place, kind: 'close' };
  return {
    ...place,
    kind: 'usage',
    requestId: data.request_id,
    clientRequestId: data.client_request_id ?? undefined,
    keyId: data.key_id,
    userId: data.user_id ?? undefined,
    model: data.model,
    requestedModel: data.requested_model,
    channelId: data.channel_id ?? undefined,
    ownChannel: data.own_channel,
    priceVersion: data.price_version,
    prices: {
      prompt: parseNano(data.prices.prompt),
      completion: parseNano(data.prices.completion),
      cachedPrompt: parseNano(data.prices.cached_prompt),
    },
    promptTokens: data.prompt_tokens,
    completionTokens: data.completion_tokens,
    cachedTokens: data.cached_tokens,
    drawn: parseNano(data.drawn),
    amount: parseNano(data.amount),
    source: data.source,
    reason: data.reason,
    status: data.status,
    errorCode: data.error_code ?? undefined,
    stream: data.stream,
    attempts: data.attempts,
    latencyMs: data.latency_ms,
    firstTokenMs: data.first_token_ms ?? undefined,
    startedAt: data.started_at,
    vendorAbsorbed: parseNano(data.vendor_absorbed),
    budget: fromEventBudget(data.budget),
  };
}
