import { fromIsoTime, type Nano, priceOf, type UnitPrices, ZERO_NANO } from '@tollgate/core';

/** How often a key's budget starts anew; `none` never does. */
export type BudgetPeriod = 'none' | 'day' | 'week' | 'month';

/** The budget that a key carries; it travels with the request because identity owns it. */
export interface KeyLimit {
  readonly limit: Nano;
  readonly period: BudgetPeriod;
}

/** Which lease a record belongs to, and its place there. */
export interface RecordPlace {
  readonly accountId: string;
  /** At least 1. */
  readonly lease: number;
  /** Gapless from 1 within the lease. */
  readonly number: number;
  /** The spool that wrote the record. */
  readonly holder: string;
  readonly epoch: number;
  /** ISO-8601. */
  readonly endedAt: string;
}

/** Where the token counts come from. */
export type UsageSource = 'exact' | 'counted' | 'partial' | 'none';

/** Everything that is known about one finished request. */
export interface UsageRecord extends RecordPlace {
  readonly kind: 'usage';
  readonly requestId: string;
  readonly clientRequestId: string | undefined;
  readonly keyId: string;
  readonly userId: string | undefined;
  readonly model: string;
  readonly requestedModel: string;
  readonly channelId: string | undefined;
  /** The account's own channel: metered, never charged. */
  readonly ownChannel: boolean;
  readonly priceVersion: number;
  readonly prices: UnitPrices;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** What was reserved for the request. */
  readonly drawn: Nano;
  /** What the holder believes it costs. */
  readonly amount: Nano;
  readonly source: UsageSource;
  /** Why the answer ended. */
  readonly reason: string;
  readonly status: 'succeeded' | 'failed';
  readonly errorCode: string | undefined;
  readonly stream: boolean;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly firstTokenMs: number | undefined;
  readonly startedAt: string;
  /** What vendors took for work that nobody is charged for. */
  readonly vendorAbsorbed: Nano;
  readonly budget: KeyLimit | undefined;
}

/** The last record of a lease: what is left returns to the account. */
export interface CloseRecord extends RecordPlace {
  readonly kind: 'close';
}

/** A record of which only the place could be read; it settles at 0 so that its lease goes on. */
export interface MalformedRecord extends RecordPlace {
  readonly kind: 'malformed';
}

/** What a spool sends. */
export type SpoolRecord = UsageRecord | CloseRecord | MalformedRecord;

/** Why an answer may have ended. */
const USAGE_REASONS: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'content_filter',
  'tool_calls',
  'client_gone',
  'vendor_gone',
  'vendor_error',
  'no_channel',
  'deadline',
  'shutdown',
  'crash',
  'internal_error',
]);

const IDENTIFIER = /^[\x21-\x7e]{1,128}$/;
const NAME_LENGTH_MAX = 256;
const ERROR_CODE_LENGTH_MAX = 64;

/** An id of any kind: short, printable, without blanks. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

function isName(text: string): boolean {
  return text !== '' && text.length <= NAME_LENGTH_MAX;
}

/** Whether the record's texts are such that a ledger entry may show them to everybody. */
function isReadable(record: UsageRecord): boolean {
  const { clientRequestId, userId, channelId, errorCode } = record;
  const identifiers = [record.requestId, record.keyId, userId, channelId];
  return (
    identifiers.every((id) => id === undefined || isIdentifier(id)) &&
    isName(record.model) &&
    isName(record.requestedModel) &&
    (clientRequestId === undefined || clientRequestId.length <= NAME_LENGTH_MAX) &&
    (errorCode === undefined || (errorCode !== '' && errorCode.length <= ERROR_CODE_LENGTH_MAX)) &&
    USAGE_REASONS.has(record.reason) &&
    fromIsoTime(record.startedAt) !== undefined &&
    [record.priceVersion, record.attempts, record.latencyMs].every(isCount)
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * What the record's tokens cost, or undefined when the record makes no sense. Own channels and
 * requests of which nothing was delivered cost nothing.
 */
export function priceOfRecord(record: UsageRecord): Nano | undefined {
  const { prices, promptTokens, completionTokens, cachedTokens } = record;
  const sensible =
    isReadable(record) &&
    isCount(promptTokens) &&
    isCount(completionTokens) &&
    isCount(cachedTokens) &&
    cachedTokens <= promptTokens &&
    prices.prompt >= 0n &&
    prices.completion >= 0n &&
    prices.cachedPrompt >= 0n &&
    record.drawn >= 0n &&
    record.amount >= 0n &&
    record.vendorAbsorbed >= 0n;
  if (!sensible) return undefined;
  if (record.ownChannel || record.source === 'none') return ZERO_NANO;
  try {
    return priceOf(prices, {
      prompt: promptTokens,
      completion: completionTokens,
      cached: cachedTokens,
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
  if (record.kind === 'malformed' || !isReadable(record)) return emptyRecord(record);
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
    drawn: amountOrZero(record.drawn),
    amount: ZERO_NANO,
    vendorAbsorbed: amountOrZero(record.vendorAbsorbed),
  };
}

/** Stands for a name that could not be read. */
const UNKNOWN = 'unknown';

function emptyRecord(place: RecordPlace): UsageRecord {
  const { accountId, lease, number, holder, epoch, endedAt } = place;
  return {
    ...{ accountId, lease, number, holder, epoch, endedAt },
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
    drawn: ZERO_NANO,
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
