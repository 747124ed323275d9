import { AppError, type Nano, type SettledReason, type UsageRecord } from '@tollgate/core';

interface EntryBase {
  readonly accountId: string;
  /** Gapless from 1 within the account. */
  readonly seq: number;
  readonly amount: Nano;
  /** When it was added, milliseconds since the epoch. */
  readonly atMs: number;
}

/** One text for an entry's place in the ledgers: `<account>:<seq>`. */
export function ledgerIdOf({ accountId, seq }: Pick<EntryBase, 'accountId' | 'seq'>): string {
  return `${accountId}:${seq}`;
}

/** The cost of one request. `amount + absorbed + overrun` is the price of its tokens. */
export interface ChargeEntry extends EntryBase {
  readonly kind: 'charge';
  readonly record: UsageRecord;
  /** The part that the account could not pay any more. */
  readonly absorbed: Nano;
  /** The part that exceeds the reservation. */
  readonly overrun: Nano;
  readonly settledReason: SettledReason;
}

/**
 * What an account was granted: a credit that an operator gave, a payment brought or a code that was
 * redeemed, or a correction by an operator.
 */
export interface GrantEntry extends EntryBase {
  readonly kind: 'credit' | 'adjustment';
  /** More than 0; of an adjustment that took back, below. */
  readonly amount: Nano;
  /** The account with a digest of the Idempotency-Key, or with its claim; never used twice. */
  readonly creditId: string;
  /** Of an adjustment, its reason. */
  readonly note: string;
  /** The user or the API key that asked for it; undefined where nobody is known. */
  readonly actorId?: string | undefined;
}

const ADJUSTMENT = /^[^:]+:adjustment:/;

/** Credits and adjustments share one space of ids, in which the id tells them apart. */
export function isAdjustmentId(id: string): boolean {
  return ADJUSTMENT.test(id);
}

/**
 * One line of an account's ledger. Once written it keeps its amounts, counts, times and ids for ever;
 * only an erasure changes it, and empties its texts: the note of a credit, and of a usage record the
 * client's own request id, what vendors said and the members that were ignored.
 */
export type LedgerEntry = ChargeEntry | GrantEntry;

/** Which entries are wanted; what is undefined filters nothing. */
export interface LedgerFilter {
  readonly kind: LedgerEntry['kind'] | undefined;
  readonly keyId: string | undefined;
  readonly model: string | undefined;
  readonly status: 'succeeded' | 'failed' | undefined;
  readonly errorCode: string | undefined;
  /** The channel that answered, or the last that was asked. */
  readonly channelId: string | undefined;
  /** What the client called its request. */
  readonly clientRequestId: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly startAtMs: number | undefined;
  /** Exclusive. */
  readonly endAtMs: number | undefined;
}

/** A part of a ledger, both ends excluded. */
export interface SeqRange {
  readonly above: number;
  readonly below: number;
}

/** A part of the order of request ids; an end that is undefined is open. */
export interface RequestRange {
  /** Excluded. */
  readonly above: string | undefined;
  /** Included: the last charge that a page looks at when it may look at so many only. */
  readonly from?: string;
  /** Excluded. */
  readonly below: string | undefined;
}

/** Whether two entries in one place say the same: what differs otherwise follows from these. */
export function isSameEntry(a: LedgerEntry, b: LedgerEntry): boolean {
  if (a.amount !== b.amount || a.atMs !== b.atMs) return false;
  if (a.kind !== 'charge') return b.kind !== 'charge' && a.creditId === b.creditId;
  if (b.kind !== 'charge') return false;
  return (
    a.record.lease === b.record.lease &&
    a.record.number === b.record.number &&
    a.record.requestId === b.record.requestId &&
    a.settledReason === b.settledReason
  );
}

/** Two histories of one account: nothing may be overwritten, and somebody must look. */
export function createEntryConflict(entry: LedgerEntry): AppError {
  return new AppError('DATABASE_ERROR', {
    internalMessage: `another entry stands at ${entry.accountId}:${entry.seq} of the ledger`,
    retryable: false,
  });
}
