import type { BudgetPeriod, Nano } from '@tollgate/core';
import type { LedgerEntry } from './ledger-entry';

/** Something that the account's owner wants to be told. */
export type Notice =
  | {
      readonly type: 'balance.low';
      readonly available: Nano;
      readonly threshold: Nano;
      /** The threshold is what so many days cost at present; undefined for an amount. */
      readonly days: number | undefined;
    }
  | {
      /** The balance fell below `suspendBelow` of the account, or rose to it again. */
      readonly type: 'spending.suspended' | 'spending.resumed';
      readonly available: Nano;
      readonly threshold: Nano;
    }
  | { readonly type: 'balance.exhausted'; readonly available: Nano }
  | {
      readonly type: 'credits.added';
      readonly creditId: string;
      readonly amount: Nano;
      readonly available: Nano;
    }
  | {
      readonly type: 'key.budget_exceeded';
      readonly keyId: string;
      readonly limit: Nano;
      readonly period: BudgetPeriod;
    };

/** One thing that is not in the ledger and the outbox yet, in the order of `no`. */
export type JournalItem =
  | { readonly kind: 'entry'; readonly no: number; readonly entry: LedgerEntry }
  | {
      readonly kind: 'notice';
      readonly no: number;
      /** Gapless from 1 within the account. */
      readonly noticeSeq: number;
      readonly atMs: number;
      readonly notice: Notice;
    };

/** An account as its journal's functions see it. */
interface HasJournal {
  readonly journal: readonly JournalItem[];
}

/** The part of the journal above the number. */
export function journalAbove(account: HasJournal, no: number): readonly JournalItem[] {
  return account.journal.filter((item) => item.no > no);
}

/** Drops what is in the ledger and in the outbox, up to and including that number. */
export function trimJournal<Owner extends HasJournal>(account: Owner, storedNo: number): Owner {
  const [oldest] = account.journal;
  if (oldest === undefined || oldest.no > storedNo) return account;
  return { ...account, journal: account.journal.filter(({ no }) => no > storedNo) };
}

/** The ledger entries among the items, oldest first. */
export function entriesOf(items: readonly JournalItem[]): readonly LedgerEntry[] {
  return items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
}

/**
 * A journal item that listeners were not told yet. An entry is named by its sequence, because it
 * stands in the ledger for ever; a notice stands nowhere else.
 */
export type OutboxItem =
  | { readonly kind: 'entry'; readonly no: number; readonly seq: number }
  | Extract<JournalItem, { kind: 'notice' }>;

/** Items of one account that were brought out of its journal together, in the order of `no`. */
export interface OutboxBatch {
  /** Sorts by account and number, so that an account's items are published in their order. */
  readonly id: string;
  readonly accountId: string;
  readonly items: readonly OutboxItem[];
}

const NO_DIGITS = 16;

/** The batch of these items, of which there is at least one; the same items have the same id. */
export function toOutboxBatch(accountId: string, items: readonly JournalItem[]): OutboxBatch {
  const numbers = [items[0]?.no ?? 0, items.at(-1)?.no ?? 0];
  const [first, last] = numbers.map((no) => String(no).padStart(NO_DIGITS, '0'));
  return {
    id: `${accountId}:${first}-${last}`,
    accountId,
    items: items.map((item): OutboxItem => {
      if (item.kind === 'notice') return item;
      return { kind: 'entry', no: item.no, seq: item.entry.seq };
    }),
  };
}
