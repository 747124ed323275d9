import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import { isolate } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import { entriesOf, type JournalItem, journalAbove, toOutboxBatch } from '../domain/journal';
import type { BillingObserver, JournalMarks, LedgerStore, OutboxStore } from '../domain/ports';
import type { Quarantine } from './quarantine';
import type { RecentEntries } from './recent-entries';

/**
 * Brings what waits in the journals of the accounts, which were read from a majority or written
 * with one, into the ledger and the outbox. What is in both may be trimmed: no listener has to be
 * reached for that, and any replica may do it, several at once. An account that cannot be brought
 * out for a reason of its own is quarantined; rejects only when a store is away.
 */
export interface StoreJournal {
  (accounts: readonly Account[]): Promise<void>;
  /** Items of the account are on their way; the next call for it waits until they have arrived. */
  isUnderWay(accountId: string): boolean;
}

interface Dependencies {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly marks: JournalMarks;
  readonly quarantine: Quarantine;
  readonly observer: BillingObserver;
  readonly recentEntries: RecentEntries;
}

export function createStoreJournal(deps: Dependencies): StoreJournal {
  const { ledger, outbox, marks, quarantine, observer, recentEntries } = deps;

  const store = async (waiting: readonly Waiting[]): Promise<void> => {
    const entries = entriesOf(waiting.flatMap(({ items }) => items));
    if (entries.length > 0) await ledger.insert(entries);
    // After the ledger, so that the relay finds the entries of each batch it finds.
    await outbox.add(waiting.map(({ accountId, items }) => toOutboxBatch(accountId, items)));
    for (const { accountId, items } of waiting) {
      marks.advance(accountId, items.at(-1)?.no ?? 0);
      observer.journalStored(items.length);
      await quarantine.release(journalQuarantineId(accountId));
    }
    recentEntries.remember(entries);
  };

  const storeAll = (waiting: readonly Waiting[]): Promise<void> =>
    isolate(waiting, store, ({ accountId }, error) =>
      quarantine.add(journalQuarantineId(accountId), accountId, error),
    );

  const underWay = new Map<string, Promise<void>>();

  const storeJournal = async (accounts: readonly Account[]): Promise<void> => {
    // What is on its way would be inserted a second time, refused, and compared entry by entry. Of
    // several that wait for the same the first goes on, and the others wait for that one.
    const findBusy = () => accounts.find(({ id }) => underWay.has(id));
    for (let busy = findBusy(); busy !== undefined; busy = findBusy()) await underWay.get(busy.id);
    const waiting = accounts
      .filter(({ id }) => !quarantine.has(journalQuarantineId(id)))
      .map((account) => ({
        accountId: account.id,
        items: journalAbove(account, marks.storedNo(account.id)),
      }))
      .filter(({ items }) => items.length > 0);
    if (waiting.length === 0) return;
    const storing = storeAll(waiting).finally(() => {
      for (const { accountId } of waiting) underWay.delete(accountId);
    });
    const ended = storing.catch(() => {});
    for (const { accountId } of waiting) underWay.set(accountId, ended);
    await storing;
  };
  return Object.assign(storeJournal, {
    isUnderWay: (accountId: string) => underWay.has(accountId),
  });
}

interface Waiting {
  readonly accountId: string;
  readonly items: readonly JournalItem[];
}

/** The name under which an account's journal is quarantined. */
export function journalQuarantineId(accountId: string): string {
  return `journal:${accountId}`;
}

/** Remembers marks of so many accounts; a forgotten one costs a repetition. */
export function createJournalMarks(accountsMax: number): JournalMarks {
  const marks: BoundedMap<string, number> = createBoundedMap(accountsMax);
  return {
    storedNo: (accountId) => marks.get(accountId) ?? 0,
    advance(accountId, no) {
      if (no > (marks.get(accountId) ?? 0)) marks.set(accountId, no);
    },
  };
}
