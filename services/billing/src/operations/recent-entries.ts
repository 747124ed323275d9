import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import type { OutboxBatch } from '../domain/journal';
import { type LedgerEntry, ledgerIdOf } from '../domain/ledger-entry';
import type { LedgerPlace, LedgerStore } from '../domain/ports';

/** The entries that outbox batches name. */
export interface RecentEntries {
  /** Entries that were just stored: they need not be read. */
  remember(entries: readonly LedgerEntry[]): void;
  /** The account was put back to an earlier time: others of its entries get these places. */
  forget(accountId: string): void;
  forgetAll(): void;
  /** The entries of the batches by their place, from memory, once, or from the ledger. */
  find(batches: readonly OutboxBatch[]): Promise<ReadonlyMap<string, LedgerEntry>>;
}

const REMEMBERED_MAX = 2_000;

export function createRecentEntries(ledger: LedgerStore): RecentEntries {
  const recent: BoundedMap<string, LedgerEntry> = createBoundedMap(REMEMBERED_MAX);
  return {
    remember(entries) {
      for (const entry of entries) recent.set(ledgerIdOf(entry), entry);
    },
    forget(accountId) {
      for (const [id, entry] of recent.entries()) {
        if (entry.accountId === accountId) recent.delete(id);
      }
    },
    forgetAll: () => recent.clear(),
    async find(batches) {
      const found = new Map<string, LedgerEntry>();
      const missing: LedgerPlace[] = [];
      for (const { accountId, items } of batches) {
        for (const item of items) {
          if (item.kind !== 'entry') continue;
          const place = { accountId, seq: item.seq };
          const known = recent.get(ledgerIdOf(place));
          if (known === undefined) {
            missing.push(place);
            continue;
          }
          found.set(ledgerIdOf(place), known);
          // Another replica may store another entry here, once the account was put back.
          recent.delete(ledgerIdOf(place));
        }
      }
      if (missing.length === 0) return found;
      for (const entry of await ledger.find(missing)) found.set(ledgerIdOf(entry), entry);
      return found;
    },
  };
}
