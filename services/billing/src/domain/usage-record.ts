import {
  cacheWritePriceOf,
  hasReadableTexts,
  type Nano,
  type NumberedRecord,
  priceOf,
  type RecordPlace,
  type UsageRecord,
  ZERO_NANO,
} from '@tollgate/core';

/** A record of which only the place could be read; it settles at 0 so that its lease goes on. */
export interface MalformedRecord extends RecordPlace {
  readonly kind: 'malformed';
}

/** A record as billing received it. */
export type ReceivedRecord = NumberedRecord | MalformedRecord;

/**
 * The record as it may be kept: one with texts that a ledger entry must not show to everybody is
 * malformed. For edges whose messages no schema has checked.
 */
export function checkKeepable(record: UsageRecord): UsageRecord | MalformedRecord {
  const counts = [record.priceVersion, record.attempts, record.latencyMs];
  if (hasReadableTexts(record) && counts.every(isCount)) return record;
  const { accountId, lease, number, holder, epoch, endedAt } = record;
  return { kind: 'malformed', accountId, lease, number, holder, epoch, endedAt };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * The price of the record's tokens, or undefined when the record makes no sense. Own channels and
 * requests of which nothing was delivered cost nothing.
 */
export function priceOfRecord(record: UsageRecord): Nano | undefined {
  const { prices, promptTokens, completionTokens, cachedTokens, cacheWriteTokens = 0 } = record;
  const sensible =
    isCount(promptTokens) &&
    isCount(completionTokens) &&
    isCount(cachedTokens) &&
    isCount(cacheWriteTokens) &&
    cachedTokens + cacheWriteTokens <= promptTokens &&
    prices.prompt >= 0n &&
    prices.completion >= 0n &&
    prices.cachedPrompt >= 0n &&
    cacheWritePriceOf(prices) >= 0n &&
    record.reserved >= 0n &&
    record.amount >= 0n &&
    record.vendorAbsorbed >= 0n;
  if (!sensible) return undefined;
  if (record.ownChannel || record.source === 'none') return ZERO_NANO;
  try {
    return priceOf(prices, {
      prompt: promptTokens,
      completion: completionTokens,
      cached: cachedTokens,
      cacheWrite: cacheWriteTokens,
    });
  } catch (error) {
    // The only way left to fail is a price beyond Int64.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function countOrZero(value: number): number {
  return isCount(value) ? value : 0;
}

function amountOrZero(value: Nano): Nano {
  return value >= 0n ? value : ZERO_NANO;
}

/** The refused record as the ledger keeps it: whatever could not be is 0, the rest as it came. */
export function toRefusedRecord(record: UsageRecord | MalformedRecord): UsageRecord {
  if (record.kind === 'malformed') return emptyRecord(record);
  const promptTokens = countOrZero(record.promptTokens);
  return {
    ...record,
    prices: {
      prompt: amountOrZero(record.prices.prompt),
      completion: amountOrZero(record.prices.completion),
      cachedPrompt: amountOrZero(record.prices.cachedPrompt),
    },
    promptTokens,
    completionTokens: countOrZero(record.completionTokens),
    cachedTokens: Math.min(countOrZero(record.cachedTokens), promptTokens),
    cacheWriteTokens: undefined,
    reasoningTokens: countOrZero(record.reasoningTokens ?? 0),
    promptAudioTokens: countOrZero(record.promptAudioTokens ?? 0),
    completionAudioTokens: countOrZero(record.completionAudioTokens ?? 0),
    reserved: amountOrZero(record.reserved),
    amount: ZERO_NANO,
    vendorAbsorbed: amountOrZero(record.vendorAbsorbed),
  };
}

/** Stands for a name that could not be read. */
const UNKNOWN = 'unknown';

function emptyRecord(place: RecordPlace): UsageRecord {
  const { accountId, lease, number, holder, epoch, endedAt } = place;
  return {
    accountId,
    lease,
    number,
    holder,
    epoch,
    endedAt,
    kind: 'usage',
    // No request is known; the place is unique, so a receipt can still be found by it.
    requestId: `unreadable:${lease}:${number}`,
    clientRequestId: undefined,
    keyId: UNKNOWN,
    userId: undefined,
    model: UNKNOWN,
    requestedModel: UNKNOWN,
    channelId: undefined,
    ownChannel: false,
    priceVersion: 0,
    prices: { prompt: ZERO_NANO, completion: ZERO_NANO, cachedPrompt: ZERO_NANO },
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    reserved: ZERO_NANO,
    amount: ZERO_NANO,
    source: 'none',
    reason: 'internal_error',
    status: 'failed',
    errorCode: undefined,
    stream: false,
    attempts: 0,
    latencyMs: 0,
    firstTokenMs: undefined,
    startedAt: endedAt,
    vendorAbsorbed: ZERO_NANO,
    budget: undefined,
  };
}
