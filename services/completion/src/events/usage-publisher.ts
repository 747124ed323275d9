import { type Clock, toIsoTime } from '@tollgate/core';
import {
  createEvent,
  type EventBus,
  toOutgoing,
  type UsageRecord as UsageRecordEvent,
} from '@tollgate/events';
import type { UsagePublisherPort } from '../domain/ports';
import type { KeyBudget, NumberedRecord } from '../domain/usage-record';

/** Publishes records to `tollgate.usage.v1`, one account's in order. */
export function createUsagePublisher(bus: EventBus, clock: Clock): UsagePublisherPort {
  return {
    publish(records, timeoutMs) {
      const batch = records.map((record) => {
        const event = createEvent('usage.recorded', toEventUsageRecord(record), clock);
        return toOutgoing(record.accountId, event);
      });
      return bus.publish(batch, { timeoutMs });
    },
  };
}

/** A record as the topic carries it. */
function toEventUsageRecord(record: NumberedRecord): UsageRecordEvent {
  const place = {
    account_id: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    ended_at: toIsoTime(record.endedAtMs),
  };
  if (record.kind === 'close') return { ...place, kind: 'close' };
  return {
    ...place,
    kind: 'usage',
    request_id: record.requestId,
    client_request_id: record.clientRequestId,
    key_id: record.keyId,
    user_id: record.userId,
    model: record.model,
    requested_model: record.requestedModel,
    channel_id: record.channelId,
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
    reason: record.reason,
    status: record.status,
    error_code: record.errorCode,
    stream: record.stream,
    attempts: record.attempts,
    latency_ms: record.latencyMs,
    first_token_ms: record.firstTokenMs,
    started_at: toIsoTime(record.startedAtMs),
    vendor_absorbed: record.vendorAbsorbed.toString(),
    budget: toEventBudget(record.budget),
  };
}

function toEventBudget(budget: KeyBudget | null) {
  if (budget === null) return null;
  const period = budget.period === 'none' ? null : budget.period;
  return { limit: budget.limit.toString(), period };
}
