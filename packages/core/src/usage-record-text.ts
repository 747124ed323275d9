import { parseNano } from './money';
import type { NumberedRecord, UsageRecord, UsageStart } from './usage-record';
import { createUsageRecordCodec, type FieldValues, toSnakeCase } from './usage-record-codec';

/** Records as the topics carry them: snake_case, amounts as text, null for what is absent. */
export const writtenRecords = createUsageRecordCodec({
  nameOf: toSnakeCase,
  absent: null,
  write(value, { type }) {
    if (type === 'prices') return toWrittenPrices({ prices: value as UsageRecord['prices'] });
    if (type === 'budget') return toWrittenBudget({ budget: value as UsageRecord['budget'] });
    return type === 'amount' ? String(value) : value;
  },
  read(value, { type }) {
    if (type === 'amount') return parseNano(String(value));
    if (type === 'prices') {
      const { prompt, completion, cached_prompt, cache_write } = value as FieldValues;
      return {
        prompt: parseNano(String(prompt)),
        completion: parseNano(String(completion)),
        cachedPrompt: parseNano(String(cached_prompt)),
        ...(cache_write === undefined ? {} : { cacheWrite: parseNano(String(cache_write)) }),
      };
    }
    if (type !== 'budget') return value;
    const { limit, period } = value as FieldValues;
    return { limit: parseNano(String(limit)), period: period ?? 'none' };
  },
});

/**
 * The JSON of a record as `writtenRecords` has it. It is written for each request, twice, and from
 * the table it would take four times as long: objects that are made field by field are slow. A
 * test holds both to the same fields.
 */
export function writeUsageRecordText(record: NumberedRecord): string {
  const { kind, accountId, lease, number, holder, epoch, endedAt } = record;
  const place = { kind, account_id: accountId, lease, number, holder, epoch, ended_at: endedAt };
  if (record.kind === 'close') return JSON.stringify(place);
  return JSON.stringify({
    kind,
    account_id: accountId,
    lease,
    number,
    holder,
    epoch,
    ended_at: endedAt,
    request_id: record.requestId,
    client_request_id: record.clientRequestId ?? null,
    key_id: record.keyId,
    user_id: record.userId ?? null,
    model: record.model,
    requested_model: record.requestedModel,
    channel_id: record.channelId ?? null,
    own_channel: record.ownChannel,
    price_version: record.priceVersion,
    prices: toWrittenPrices(record),
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    cached_tokens: record.cachedTokens,
    cache_write_tokens: record.cacheWriteTokens ?? null,
    reasoning_tokens: record.reasoningTokens ?? null,
    prompt_audio_tokens: record.promptAudioTokens ?? null,
    completion_audio_tokens: record.completionAudioTokens ?? null,
    drawn: `${record.reserved}`,
    amount: `${record.amount}`,
    source: record.source,
    reason: record.reason,
    status: record.status,
    error_code: record.errorCode ?? null,
    stream: record.stream,
    attempts: record.attempts,
    failed_attempts: record.failedAttempts ?? null,
    latency_ms: record.latencyMs,
    first_token_ms: record.firstTokenMs ?? null,
    started_at: record.startedAt,
    limits_left: record.limitsLeft ?? null,
    ignored_members: record.ignoredMembers,
    vendor_absorbed: `${record.vendorAbsorbed}`,
    budget: toWrittenBudget(record),
  });
}

/** The same of a start, under the kind `begin`. */
export function writeUsageStartText(start: UsageStart): string {
  return JSON.stringify({
    kind: 'begin',
    account_id: start.accountId,
    lease: start.lease,
    request_id: start.requestId,
    client_request_id: start.clientRequestId ?? null,
    key_id: start.keyId,
    user_id: start.userId ?? null,
    model: start.model,
    requested_model: start.requestedModel,
    channel_id: start.channelId ?? null,
    own_channel: start.ownChannel,
    price_version: start.priceVersion,
    prices: toWrittenPrices(start),
    drawn: `${start.reserved}`,
    stream: start.stream,
    started_at: start.startedAt,
    limits_left: start.limitsLeft ?? null,
    ignored_members: start.ignoredMembers,
    budget: toWrittenBudget(start),
  });
}

function toWrittenPrices({ prices }: Pick<UsageStart, 'prices'>) {
  const { prompt, completion, cachedPrompt, cacheWrite } = prices;
  return {
    prompt: `${prompt}`,
    completion: `${completion}`,
    cached_prompt: `${cachedPrompt}`,
    cache_write: cacheWrite === undefined ? undefined : `${cacheWrite}`,
  };
}

function toWrittenBudget({ budget }: Pick<UsageStart, 'budget'>) {
  if (budget === undefined) return null;
  const { limit, period } = budget;
  return { limit: `${limit}`, period: period === 'none' ? null : period };
}
