import { toIsoTime } from '@tollgate/core';
import type {
  LedgerAdjustmentPosted,
  LedgerEntryPosted,
  UsageReason,
  UsageRecord as UsageRecordEvent,
} from '@tollgate/events';
import type { AdjustmentEntry, ChargeEntry, CreditEntry } from '../domain/ledger-entry';
import type { BudgetPeriod, CloseRecord, UsageRecord } from '../domain/usage-record';

export function toEventPeriod(period: BudgetPeriod): 'day' | 'week' | 'month' | null {
  return period === 'none' ? null : period;
}

/** A record as it was announced. Only readable ones are kept: their reason is of the closed set. */
export function toEventUsageRecord(record: UsageRecord | CloseRecord): UsageRecordEvent {
  const place = {
    account_id: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    ended_at: record.endedAt,
  };
  if (record.kind === 'close') return { ...place, kind: 'close' };
  const { budget } = record;
  return {
    ...place,
    kind: 'usage',
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
      prompt: record.prices.prompt.toString(),
      completion: record.prices.completion.toString(),
      cached_prompt: record.prices.cachedPrompt.toString(),
    },
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    cached_tokens: record.cachedTokens,
    drawn: record.drawn.toString(),
    amount: record.amount.toString(),
    source: record.source,
    reason: record.reason as UsageReason,
    status: record.status,
    error_code: record.errorCode ?? null,
    stream: record.stream,
    attempts: record.attempts,
    latency_ms: record.latencyMs,
    first_token_ms: record.firstTokenMs ?? null,
    started_at: record.startedAt,
    vendor_absorbed: record.vendorAbsorbed.toString(),
    budget:
      budget === undefined
        ? null
        : { limit: budget.limit.toString(), period: toEventPeriod(budget.period) },
  };
}

/** An adjustment as those who follow the ledger read it. */
export function toEventAdjustment(entry: AdjustmentEntry): LedgerAdjustmentPosted {
  const { accountId: account_id, seq, adjustmentId: adjustment_id, reason } = entry;
  const amount = entry.amount.toString();
  return { account_id, seq, amount, at: toIsoTime(entry.at), adjustment_id, reason };
}

/** A credit or a charge as those who follow the ledger read it. */
export function toEventLedgerEntry(entry: CreditEntry | ChargeEntry): LedgerEntryPosted {
  const { accountId: account_id, seq } = entry;
  const amount = entry.amount.toString();
  const base = { account_id, seq, amount, at: toIsoTime(entry.at) };
  if (entry.kind === 'credit') {
    const note = entry.note === '' ? null : entry.note;
    return { ...base, kind: 'credit', charge: null, credit: { credit_id: entry.creditId, note } };
  }
  const charge = {
    record: toEventUsageRecord(entry.record),
    charged: amount,
    absorbed: entry.absorbed.toString(),
    overrun: entry.overrun.toString(),
    settled_reason: entry.settledReason,
  };
  return { ...base, kind: 'charge', charge, credit: null };
}
