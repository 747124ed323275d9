import type { Account } from './account';
import type {
  AdjustmentEntry,
  ChargeEntry,
  CreditEntry,
  JournalItem,
  LedgerEntry,
} from './ledger-entry';
import type { Verdict } from './settle-records';
import type { SpoolRecord } from './usage-record';
import type { SettlementView } from './watermark';

/** A page of ids in ascending order. */
export interface IdPage {
  /** The last id of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** An account whose journal is not empty, and how far the journal goes. */
export interface JournalHead {
  readonly accountId: string;
  readonly journalNo: number;
  /** When the account was written last, milliseconds since the epoch. */
  readonly changedAt: number;
}

/**
 * One document per account. What is read is durable on a majority; what is answered as written is
 * too. A write whose answer is lost may or may not have happened.
 */
export interface AccountStore {
  read(accountId: string): Promise<Account | undefined>;
  /** The accounts that exist, in any order. */
  readMany(accountIds: readonly string[]): Promise<readonly Account[]>;
  /** The settlement state of the accounts that exist, in any order. */
  readSettlements(accountIds: readonly string[]): Promise<readonly SettlementView[]>;
  /** Writes an account that does not exist yet; false when it does. */
  create(account: Account): Promise<boolean>;
  /** Replaces the account if its `rev` is still the expected one; false when it is not. */
  replace(account: Account, expectedRev: number): Promise<boolean>;
  /** Accounts with a journal that were written at or after the time. */
  listJournals(changedSince: number, page: IdPage): Promise<readonly JournalHead[]>;
  /** Accounts with a lease that is not swept and expires at or before the time. */
  listExpired(now: number, limit: number): Promise<readonly string[]>;
  /** Accounts with a swept lease. */
  listSwept(page: IdPage): Promise<readonly string[]>;
  /** Accounts with a lease of the holder. */
  listHeldBy(holder: string, page: IdPage): Promise<readonly string[]>;
  listIds(page: IdPage): Promise<readonly string[]>;
}

/** Immutable entries, named by account and sequence. */
export interface LedgerStore {
  /** Idempotent; rejects when another entry already stands in the place of one of these. */
  insert(entries: readonly LedgerEntry[]): Promise<void>;
  findCharge(accountId: string, requestId: string): Promise<ChargeEntry | undefined>;
  findCredit(accountId: string, creditId: string): Promise<CreditEntry | undefined>;
  findAdjustment(accountId: string, adjustmentId: string): Promise<AdjustmentEntry | undefined>;
  /** From `afterSeq + 1` upwards. */
  listAfter(accountId: string, afterSeq: number, limit: number): Promise<readonly LedgerEntry[]>;
  /** From `beforeSeq - 1` downwards. */
  listBefore(accountId: string, beforeSeq: number, limit: number): Promise<readonly LedgerEntry[]>;
  /** The request ids of the account's charges in lexical order, repeated ones repeatedly. */
  requestIds(accountId: string): AsyncIterable<string>;
}

/** What a holder answered to a recall. */
export type LeaseDisposition = 'closing' | 'busy' | 'unknownClosed' | 'notHolder';

/** The completion instances that hold leases. */
export interface LeaseHolders {
  /** Asks the holder to close the lease when it is idle. Rejects when it cannot be reached. */
  recall(request: {
    readonly accountId: string;
    readonly lease: number;
    readonly holder: string;
    readonly address: string;
  }): Promise<LeaseDisposition>;
}

/** A journal item on its way out. */
export interface Fact {
  readonly accountId: string;
  readonly item: JournalItem;
}

/** Everyone who listens to billing. */
export interface FactPublisher {
  /** Resolves when all of them are accepted, in order per account. */
  publish(facts: readonly Fact[]): Promise<void>;
}

/** Where records go that settled nothing. */
export interface DeadLetters {
  /** Keeps records of leases that were never granted to their spool. */
  report(records: readonly SpoolRecord[]): Promise<void>;
}

/** How far the journal of each account was relayed by this process, as far as it remembers. */
export interface RelayMarks {
  /** Number of the last relayed item; 0 when unknown. */
  relayedNo(accountId: string): number;
  advance(accountId: string, no: number): void;
}

/** What billing counts as it works. */
export interface BillingObserver {
  /** Records settled, with what became of each. */
  settled(verdicts: readonly Verdict[]): void;
  /** Another writer was faster. */
  guardMissed(): void;
  leaseGranted(kind: 'granted' | 'renewed'): void;
  leaseDenied(kind: string): void;
  leasesSwept(count: number): void;
  leasesRetired(count: number): void;
  recalled(answer: LeaseDisposition | 'unreachable'): void;
  relayed(items: number): void;
  creditsAdded(): void;
  balanceAdjusted(): void;
}

/** Counts nothing. */
export const silentObserver: BillingObserver = {
  settled() {},
  guardMissed() {},
  leaseGranted() {},
  leaseDenied() {},
  leasesSwept() {},
  leasesRetired() {},
  recalled() {},
  relayed() {},
  creditsAdded() {},
  balanceAdjusted() {},
};
