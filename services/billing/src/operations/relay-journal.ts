import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { LedgerEntry } from '../domain/ledger-entry';
import type {
  BillingObserver,
  Fact,
  FactPublisher,
  LedgerStore,
  RelayMarks,
} from '../domain/ports';

/**
 * Brings out what waits in the journals of the accounts, which were read from a majority or written
 * with one: first into the ledger, then to the listeners, and only then is it marked as relayed, so
 * that trimming may drop it. Every step may be repeated: entries have their place, and listeners
 * know what they have seen by its sequence.
 */
export type RelayJournal = (accounts: readonly Account[]) => Promise<void>;

/** Remembers marks of so many accounts; a forgotten one costs a repeated relay. */
export function createRelayMarks(accountsMax: number): RelayMarks {
  const marks: BoundedMap<string, number> = createBoundedMap(accountsMax);
  return {
    relayedNo: (accountId) => marks.get(accountId) ?? 0,
    advance(accountId, no) {
      if (no > (marks.get(accountId) ?? 0)) marks.set(accountId, no);
    },
  };
}

export function createRelayJournal(dependencies: {
  readonly ledger: LedgerStore;
  readonly publisher: FactPublisher;
  readonly marks: RelayMarks;
  readonly observer: BillingObserver;
  /** Accounts of which is remembered what the ledger has. */
  readonly accountsMax: number;
}): RelayJournal {
  const { ledger, publisher, marks, observer } = dependencies;
  // While listeners cannot be reached, entries are not offered to the ledger over and over.
  const stored: BoundedMap<string, number> = createBoundedMap(dependencies.accountsMax);
  return async (accounts) => {
    const facts: Fact[] = [];
    const entries: LedgerEntry[] = [];
    for (const account of accounts) {
      const relayedNo = marks.relayedNo(account.id);
      for (const item of account.journal) {
        if (item.no <= relayedNo) continue;
        facts.push({ accountId: account.id, item });
        const isStored = item.no <= (stored.get(account.id) ?? 0);
        if (item.kind === 'entry' && !isStored) entries.push(item.entry);
      }
    }
    if (facts.length === 0) return;
    if (entries.length > 0) await ledger.insert(entries);
    for (const { accountId, item } of facts) stored.set(accountId, item.no);
    await publisher.publish(facts);
    for (const { accountId, item } of facts) marks.advance(accountId, item.no);
    observer.relayed(facts.length);
  };
}
