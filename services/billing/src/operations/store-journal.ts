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
    recentEntries.remember(entries);
    // After the ledger, so that the relay finds the entries of each batch it finds.
    await outbox.insert(waiting.map(({ accountId, items }) => toOutboxBatch(accountId, items)));
    for (const { accountId, items } of waiting) {
      const last = items.at(-1);
      if (last !== undefined) storedNumbers.advance(accountId, last);
      metrics.stored.inc(undefined, items.length);
      await quarantine.release(journalOf(accountId));
    }
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
  /**
   * The same for an account as the store has it, of which items are to be dropped. When its document
   * was put back to an earlier time, other items have these numbers now: then it is forgotten.
   */
  ofCurrent(account: Account): number;
  advance(accountId: string, last: JournalItem): void;
}

interface StoredItem {
  readonly no: number;
  /** Tells the item from the one that gets its number after the document was put back. */
  readonly atMs: number;
}

/**
 * Remembers the numbers of so many accounts; a forgotten one costs a repetition. `onForgotten` hears
 * of each account whose document was put back.
 */
export function createStoredNumbers(
  accountsMax: number,
  onForgotten: (accountId: string) => void,
): StoredNumbers {
  const stored: BoundedMap<string, StoredItem> = createBoundedMap(accountsMax);
  const of = (accountId: string): number => stored.get(accountId)?.no ?? 0;
  return {
    of,
    ofCurrent(account) {
      const known = stored.get(account.id);
      if (known !== undefined && !hasComeTo(account, known)) {
        stored.delete(account.id);
        onForgotten(account.id);
      }
      return of(account.id);
    },
    advance(accountId, last) {
      if (last.no > of(accountId)) stored.set(accountId, { no: last.no, atMs: atMsOf(last) });
    },
  };
}

/** What was trimmed meanwhile is not looked for: whoever trimmed it had stored it. */
function hasComeTo({ journal, journalNo }: Account, { no, atMs }: StoredItem): boolean {
  if (journalNo < no) return false;
  const item = journal.find((each) => each.no === no);
  return item === undefined || atMsOf(item) === atMs;
}

function atMsOf(item: JournalItem): number {
  return item.kind === 'entry' ? item.entry.atMs : item.atMs;
}
