import type { Nano } from '@tollgate/core';
import type { Account, BudgetSpend, Lease } from './account';
import type { JournalItem, Notice } from './journal';
import type { LedgerEntry } from './ledger-entry';

/**
 * An account that one command is changing: a private copy, so that the command stays a pure
 * function without copying its maps once per record.
 */
export type AccountDraft = {
  -readonly [Member in keyof Account]: Account[Member];
} & {
  leases: Map<number, Lease>;
  retired: Map<number, number>;
  budgets: Map<string, BudgetSpend>;
  chargedByKey: Map<string, Nano>;
  journal: JournalItem[];
};

/** A copy that may be written to; the account itself is left alone. */
export function draftOf(account: Account): AccountDraft {
  return {
    ...account,
    leases: new Map(account.leases),
    retired: new Map(account.retired),
    budgets: new Map(account.budgets),
    chargedByKey: new Map(account.chargedByKey),
    journal: [...account.journal],
  };
}

/** One record needs at most its entry and four notices. */
const ITEMS_PER_RECORD_MAX = 5;

/** Whether one more record, with all the notices that it may cause, fits the journal. */
export function hasJournalRoom(draft: Pick<Account, 'journal'>, journalMax: number): boolean {
  return draft.journal.length + ITEMS_PER_RECORD_MAX <= journalMax;
}

/** Appends the next ledger entry to the journal and answers it. */
export function addEntry<Entry extends LedgerEntry>(
  draft: AccountDraft,
  details: Omit<Entry, 'seq' | 'accountId'>,
): Entry {
  draft.ledgerSeq += 1;
  draft.journalNo += 1;
  // The two members that Omit took away are put back, which the compiler cannot add up.
  const entry = { ...details, accountId: draft.id, seq: draft.ledgerSeq } as unknown as Entry;
  draft.journal.push({ kind: 'entry', no: draft.journalNo, entry });
  return entry;
}

/** Appends a notice to the journal. */
export function addNotice(draft: AccountDraft, notice: Notice, atMs: number): void {
  draft.noticeSeq += 1;
  draft.journalNo += 1;
  draft.journal.push({
    kind: 'notice',
    no: draft.journalNo,
    noticeSeq: draft.noticeSeq,
    atMs,
    notice,
  });
}
