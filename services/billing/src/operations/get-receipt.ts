import { AppError } from '@tollgate/core';
import type { ChargeEntry } from '../domain/ledger-entry';
import type { AccountStore, LedgerStore } from '../domain/ports';
import { journalEntries } from './list-ledger';

/** Finds the charge of a request; rejects with NOT_FOUND when the account has none of that id. */
export type GetReceiptOperation = (accountId: string, requestId: string) => Promise<ChargeEntry>;

export function createGetReceipt(dependencies: {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
}): GetReceiptOperation {
  const { store, ledger } = dependencies;
  return async (accountId, requestId) => {
    // The account first: an entry leaves its journal only once the ledger has it.
    const account = await store.read(accountId);
    if (account === undefined) throw new AppError('NOT_FOUND');
    for (const entry of journalEntries(account)) {
      if (entry.kind === 'charge' && entry.record.requestId === requestId) return entry;
    }
    const entry = await ledger.findCharge(accountId, requestId);
    if (entry === undefined) throw new AppError('NOT_FOUND');
    return entry;
  };
}
