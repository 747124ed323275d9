import type { Account } from './account';

/** Drops what is in the ledger and in the outbox, up to and including that number. */
export function trimJournal(account: Account, storedNo: number): Account {
  const [oldest] = account.journal;
  if (oldest === undefined || oldest.no > storedNo) return account;
  return { ...account, journal: account.journal.filter(({ no }) => no > storedNo) };
}
