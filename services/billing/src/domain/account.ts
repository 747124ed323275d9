import { type BudgetPeriod, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { JournalItem } from './journal';

/** At which balances the owner of an account is notified that it is low. */
export interface Thresholds {
  /** More than 0, highest first. */
  readonly amounts: readonly Nano[];
  /** Days that the balance lasts as the account spends at present; most first. */
  readonly days: readonly number[];
}

/** What an account set for itself, in place of its plan's thresholds. */
export interface OwnThresholds extends Thresholds {
  /** Below this balance nothing that costs is let in; undefined lets all of it be spent. */
  readonly suspendBelow: Nano | undefined;
}

/** A part of an account's credit, in which the requests of one spool reserve theirs. */
export interface Lease {
  /** The holder's name for this lease; a repeat of it renews and grants nothing. */
  readonly nonce: string;
  /** The spool that holds it. */
  readonly holder: string;
  /** Where the holder answers a recall. */
  readonly holderAddress: string;
  /** The budgeted key that the lease belongs to; undefined for the keys without a budget. */
  readonly keyId: string | undefined;
  readonly remaining: Nano;
  /** The next record number that settles; every lower one has. */
  readonly nextNumber: number;
  /**
   * Milliseconds since the epoch by the clock of the replica that granted or renewed it; later
   * with each renewal. It finds leases that may have expired; alone it decides only when a swept one,
   * after weeks, counts as lost.
   */
  readonly expiresAtMs: number;
  /** The remaining credit went back to the account; the lease keeps its place for late records. */
  readonly swept: boolean;
  /** Someone else needs the credit: the holder closes when idle. */
  readonly recall: boolean;
}

/** What a key with a budget has spent of it in its current period. */
export interface BudgetSpend {
  readonly limit: Nano;
  readonly period: BudgetPeriod;
  /** Start of the current period, milliseconds since the epoch; 0 for `none`. */
  readonly periodStartMs: number;
  readonly spent: Nano;
  /** Held by the key's open leases. */
  readonly leased: Nano;
  /** The owner was notified in this period that the budget does not suffice. */
  readonly notified: boolean;
  /**
   * The budget under the key's previous period setting, still counted until that period ends, because
   * the key may be set back to it, or a gateway may not have heard of the change.
   */
  readonly former?: Omit<BudgetSpend, 'former' | 'leased'> | undefined;
}

/** Two adjoining windows of charges, from which the recent spend is read. */
export interface SpendWindows {
  /** Start of the current window, milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly current: Nano;
  readonly previous: Nano;
}

/**
 * One account's money. Always true: granted = available + what leases hold + posted, and nothing is
 * negative. Every command is one pure function from an account to the next; the store applies the
 * result with a single write that is guarded by `rev`.
 */
export interface Account {
  readonly id: string;
  /** One more with every write; 0 for an account that was never written. */
  readonly rev: number;
  /** Every credit ever given, with every adjustment since. */
  readonly granted: Nano;
  /** Free to be leased. */
  readonly available: Nano;
  /** Every charge ever posted. */
  readonly posted: Nano;
  readonly ledgerSeq: number;
  readonly noticeSeq: number;
  /** Number of the newest journal item. */
  readonly journalNo: number;
  /** Number of the newest lease. */
  readonly leaseNo: number;
  readonly leases: ReadonlyMap<number, Lease>;
  /** Leases whose spool was given up, with the next number of each: later records are absorbed. */
  readonly retired: ReadonlyMap<number, number>;
  /** Delivered work that could not be charged: a spool was destroyed, or the balance was spent. */
  readonly absorbed: Nano;
  /** Work beyond what had been reserved for it. */
  readonly overrun: Nano;
  readonly budgets: ReadonlyMap<string, BudgetSpend>;
  /**
   * The charges of each key in all, with and without a budget; bounded as budgets are. In the
   * order in which the keys were charged last, the longest ago first.
   */
  readonly chargedByKey: ReadonlyMap<string, Nano>;
  /** One was dropped for want of room: of a key that is not among them nothing is known any more. */
  readonly chargedKeysDropped: boolean;
  readonly journal: readonly JournalItem[];
  /** The newest credit as adjusted; a tenth of it is the threshold of those that have no other. */
  readonly lastCredit: Nano;
  /** The owner was notified since the last credit that the balance does not suffice. */
  readonly exhaustedNotified: boolean;
  readonly spend: SpendWindows;
  /** In windows of a day, for thresholds that are days of spending. */
  readonly daySpend: SpendWindows;
  /** Set by the account itself; undefined leaves it to its plan. */
  readonly thresholds: OwnThresholds | undefined;
  /** Thresholds in days that the owner was notified of since the last credit. */
  readonly daysNotified: readonly number[];
  /** Undefined until identity tells of it. */
  readonly plan: string | undefined;
  /** When identity put it on the plan, milliseconds since the epoch; 0 while that is not known. */
  readonly planAtMs: number;
  /** Milliseconds since the epoch. */
  readonly updatedAtMs: number;
}

/** The answer of a command: the next account (the same object when nothing changes) and why. */
export interface Change<Outcome> {
  readonly account: Account;
  readonly outcome: Outcome;
}

/** The windows of an account that was never charged. */
const NOTHING_SPENT: SpendWindows = {
  startedAtMs: 0,
  current: ZERO_NANO,
  previous: ZERO_NANO,
};

/** An account at its first use. */
export function emptyAccount(id: string): Account {
  return {
    id,
    rev: 0,
    granted: ZERO_NANO,
    available: ZERO_NANO,
    posted: ZERO_NANO,
    ledgerSeq: 0,
    noticeSeq: 0,
    journalNo: 0,
    leaseNo: 0,
    leases: new Map(),
    retired: new Map(),
    absorbed: ZERO_NANO,
    overrun: ZERO_NANO,
    budgets: new Map(),
    chargedByKey: new Map(),
    chargedKeysDropped: false,
    journal: [],
    lastCredit: ZERO_NANO,
    exhaustedNotified: false,
    spend: NOTHING_SPENT,
    daySpend: NOTHING_SPENT,
    thresholds: undefined,
    daysNotified: [],
    plan: undefined,
    planAtMs: 0,
    updatedAtMs: 0,
  };
}

/** The account's unspent credit, leased or not. */
export function balanceOf(account: Pick<Account, 'granted' | 'posted'>): Nano {
  return nano(account.granted - account.posted);
}

/** The sum of the open leases. */
export function leasedOf(account: Pick<Account, 'leases'>): Nano {
  let sum = 0n;
  for (const lease of account.leases.values()) sum += lease.remaining;
  return nano(sum);
}

/** The sum, still inside Int64; throws RangeError otherwise. */
export function plus(a: Nano, b: Nano): Nano {
  return nano(a + b);
}

/** The difference; the caller knows that it is not negative, and `checkAccount` of the audit tells. */
export function minus(a: Nano, b: Nano): Nano {
  return nano(a - b);
}

/** `a - b`, or 0 where that would be negative. */
export function minusToZero(a: Nano, b: Nano): Nano {
  return a > b ? nano(a - b) : nano(0n);
}
