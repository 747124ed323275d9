import { AppError } from '@tollgate/core';
import type { Account } from '../domain/account';
import { entriesOf } from '../domain/journal';
import type { ChargeEntry, LedgerEntry } from '../domain/ledger-entry';
import type { AccountStore, LedgerStore } from '../domain/ports';

/** Which part of a ledger, and in which direction. */
export type LedgerRange =
  /** Upwards from the entry after this one, for consumers that fill a gap. */
  | { readonly afterSeq: number }
  /** Downwards from the entry before this one, or from the newest, for people. */
  | { readonly beforeSeq: number | undefined };

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** The account's newest sequence. */
  readonly lastSeq: number;
}

/** Lists up to `limit` entries; those that are still in the journal are among them. */
export type ListLedgerOperation = (
  accountId: string,
  range: LedgerRange,
  limit: number,
) => Promise<LedgerPage>;

/**
 * Lists by both the ledger and the account that was read before it: nothing falls in between, and
 * an entry that waits while later ones are stored is in its place. What was added after the
 * account was read may be stored out of order: the list ends before the first gap in it.
 */
async function listUp(
  ledger: LedgerStore,
  account: Account,
  afterSeq: number,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const waiting = entriesOf(account.journal).filter(({ seq }) => seq > afterSeq);
  const stored = await ledger.listAfter(account.id, afterSeq, limit);
  const bySeq = new Map([...waiting, ...stored].map((entry) => [entry.seq, entry]));
  const entries = [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(0, limit);
  const seqBefore = (index: number) => entries[index - 1]?.seq ?? afterSeq;
  const gap = entries.findIndex(
    ({ seq }, index) => seq > Math.max(account.ledgerSeq, seqBefore(index)) + 1,
  );
  return gap === -1 ? entries : entries.slice(0, gap);
}

async function listDown(
  ledger: LedgerStore,
  account: Account,
  beforeSeq: number,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const waiting = entriesOf(account.journal).filter(({ seq }) => seq < beforeSeq);
  const entries = waiting.slice(-limit).reverse();
  const oldest = entries.at(-1)?.seq ?? beforeSeq;
  const left = limit - entries.length;
  if (left === 0) return entries;
  return [...entries, ...(await ledger.listBefore(account.id, oldest, left))];
}

export function createListLedger(deps: {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
}): ListLedgerOperation {
  const { store, ledger } = deps;
  return async (accountId, range, limit) => {
    const account = await store.find(accountId);
    if (account === undefined) return { entries: [], lastSeq: 0 };
    const lastSeq = account.ledgerSeq;
    if ('afterSeq' in range) {
      const entries = await listUp(ledger, account, range.afterSeq, limit);
      // Entries that were added and stored after the account was read may be shown too.
      return { entries, lastSeq: Math.max(lastSeq, entries.at(-1)?.seq ?? 0) };
    }
    const beforeSeq = range.beforeSeq ?? lastSeq + 1;
    return { entries: await listDown(ledger, account, beforeSeq, limit), lastSeq };
  };
}

/** Finds the charge of a request; rejects with NOT_FOUND when the account has none of that id. */
export function createGetReceipt(deps: {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
}) {
  const { store, ledger } = deps;
  return async (accountId: string, requestId: string): Promise<ChargeEntry> => {
    // The account first: an entry leaves its journal only once the ledger has it.
    const account = await store.find(accountId);
    if (account === undefined) throw new AppError('NOT_FOUND');
    for (const entry of entriesOf(account.journal)) {
      if (entry.kind === 'charge' && entry.record.requestId === requestId) return entry;
    }
    const entry = await ledger.findCharge(accountId, requestId);
    if (entry === undefined) throw new AppError('NOT_FOUND');
    return entry;
  };
}
