import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import { isolate } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import { entriesOf, type JournalItem, journalAbove, toOutboxBatch } from '../domain/journal';
import type { LedgerStore, OutboxStore } from '../domain/ports';
import type { BillingMetrics } from '../metrics';
import type { Quarantine, QuarantinedWork } from './quarantine';
import type { RecentEntries } from './recent-entries';

/**
 * Brings what waits in the journals into the ledger and the outbox. The caller hands over accounts
 * as a majority of the store has them, because what a server lost again must not be in the ledger.
 * What is in both may be trimmed: no listener has to be reached for that, and any replica may do it,
 * several at once. An account that cannot be brought out for a reason of its own is quarantined;
 * rejects only when a store is away.
 */
export interface StoreJournal {
  (accounts: readonly Account[]): Promise<void>;
  /** Items of the account are on their way; the next call for it waits until they have arrived. */
  isUnderWay(accountId: string): boolean;
}

interface Dependencies {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly storedNumbers: StoredNumbers;
  readonly quarantine: Quarantine;
  readonly metrics: BillingMetrics;
  readonly recentEntries: RecentEntries;
}

export function createStoreJournal(deps: Dependencies): StoreJournal {
  const { ledger, outbox, storedNumbers, quarantine, metrics, recentEntries } = deps;

  const storeTogether = async (waiting: readonly Waiting[]): Promise<void> => {
    const entries = entriesOf(waiting.flatMap(({ items }) => items));
    if (entries.length > 0) await ledger.insert(entries);
    // After the ledger, so that the relay finds the entries of each batch it finds.
    await outbox.insert(waiting.map(({ accountId, items }) => toOutboxBatch(accountId, items)));
    for (const { accountId, items } of waiting) {
      storedNumbers.advance(accountId, items.at(-1)?.no ?? 0);
      metrics.stored.inc(undefined, items.length);
      await quarantine.release(journalOf(accountId));
    }
    recentEntries.remember(entries);
  };

  const storeAll = (waiting: readonly Waiting[]): Promise<void> =>
    isolate(waiting, storeTogether, ({ accountId }, error) =>
      quarantine.add(journalOf(accountId), error),
    );

  const underWay = new Map<string, Promise<void>>();

  const storeJournal = async (accounts: readonly Account[]): Promise<void> => {
    // What is on its way would be inserted a second time, refused, and compared entry by entry. Of
    // several that wait for the same the first goes on, and the others wait for that one.
    const findBusy = () => accounts.find(({ id }) => underWay.has(id));
    for (let busy = findBusy(); busy !== undefined; busy = findBusy()) await underWay.get(busy.id);
    const waiting = accounts
      .filter(({ id }) => !quarantine.isWaiting(journalOf(id)))
      .map((account) => ({
        accountId: account.id,
        items: journalAbove(account, storedNumbers.of(account.id)),
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

/** The work on an account's journal, as it is quarantined. */
export function journalOf(accountId: string): QuarantinedWork {
  return { kind: 'journal', accountId };
}

/** How far the journal of each account is known to be stored: in the ledger and in the outbox. */
export interface StoredNumbers {
  /** Number of the last stored item; 0 when unknown, which costs a repetition. */
  of(accountId: string): number;
  advance(accountId: string, no: number): void;
}

/** Remembers the numbers of so many accounts; a forgotten one costs a repetition. */
export function createStoredNumbers(accountsMax: number): StoredNumbers {
  const numbers: BoundedMap<string, number> = createBoundedMap(accountsMax);
  return {
    of: (accountId) => numbers.get(accountId) ?? 0,
    advance(accountId, no) {
      if (no > (numbers.get(accountId) ?? 0)) numbers.set(accountId, no);
    },
  };
}
