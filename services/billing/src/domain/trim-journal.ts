import type { Account } from './account';

/** Drops what the relay has brought out, up to and including that number. */
export function trimJournal(account: Account, relayedNo: number): Account {
  const [oldest] = account.journal;
  if (oldest === undefined || oldest.no > relayedNo) return account;
  return { ...account, journal: account.journal.filter(({ no }) => no > relayedNo) };
}
