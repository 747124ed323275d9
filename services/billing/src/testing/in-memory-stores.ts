import type { Account } from '../domain/account';
import type {
  AdjustmentEntry,
  ChargeEntry,
  CreditEntry,
  LedgerEntry,
} from '../domain/ledger-entry';
import type { AccountStore, IdPage, LedgerStore } from '../domain/ports';
import { createEntryConflict, isSameEntry } from '../domain/same-entry';

/** Both stores over plain maps: every call is one atomic step, and nothing is ever lost. */
export interface InMemoryStores {
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
}

function pageOf(ids: Iterable<string>, { after, limit }: IdPage): readonly string[] {
  return [...ids]
    .filter((id) => after === undefined || id > after)
    .sort()
    .slice(0, limit);
}

/** The account store; the map may be shared to look inside or to roll it back. */
export function createInMemoryAccountStore(
  documents: Map<string, Account> = new Map(),
): AccountStore {
  const idsWhere = (matches: (account: Account) => boolean) =>
    [...documents.values()].filter(matches).map(({ id }) => id);
  const leasesOf = (account: Account) => [...account.leases.values()];
  return {
    async read(accountId) {
      return documents.get(accountId);
    },
    async readMany(accountIds) {
      return accountIds.flatMap((id) => documents.get(id) ?? []);
    },
    async readSettlements(accountIds) {
      return accountIds.flatMap((id) => documents.get(id) ?? []);
    },
    async create(account) {
      if (documents.has(account.id)) return false;
      documents.set(account.id, account);
      return true;
    },
    async replace(account, expectedRev) {
      if (documents.get(account.id)?.rev !== expectedRev) return false;
      documents.set(account.id, account);
      return true;
    },
    async listJournals(changedSince, page) {
      const waiting = idsWhere(
        ({ journal, updatedAt }) => journal.length > 0 && updatedAt >= changedSince,
      );
      return pageOf(waiting, page).flatMap((accountId) => {
        const account = documents.get(accountId);
        if (account === undefined) return [];
        return { accountId, journalNo: account.journalNo, changedAt: account.updatedAt };
      });
    },
    async listExpired(now, limit) {
      const expired = idsWhere((account) =>
        leasesOf(account).some(({ swept, expiresAt }) => !swept && expiresAt <= now),
      );
      return pageOf(expired, { after: undefined, limit });
    },
    async listSwept(page) {
      return pageOf(
        idsWhere((account) => leasesOf(account).some(({ swept }) => swept)),
        page,
      );
    },
    async listHeldBy(holder, page) {
      const held = idsWhere((account) => leasesOf(account).some((one) => one.holder === holder));
      return pageOf(held, page);
    },
    async listIds(page) {
      return pageOf(documents.keys(), page);
    },
  };
}

/** The ledger store; the map (by account, then sequence) may be shared to look inside. */
export function createInMemoryLedgerStore(
  entries: Map<string, Map<number, LedgerEntry>> = new Map(),
): LedgerStore {
  const ofAccount = (accountId: string) =>
    [...(entries.get(accountId)?.values() ?? [])].sort((a, b) => a.seq - b.seq);
  const charges = (accountId: string): readonly ChargeEntry[] =>
    ofAccount(accountId).filter((entry) => entry.kind === 'charge');
  const credits = (accountId: string): readonly CreditEntry[] =>
    ofAccount(accountId).filter((entry) => entry.kind === 'credit');
  const adjustments = (accountId: string): readonly AdjustmentEntry[] =>
    ofAccount(accountId).filter((entry) => entry.kind === 'adjustment');
  return {
    async insert(added) {
      for (const entry of added) {
        const ledger = entries.get(entry.accountId) ?? new Map<number, LedgerEntry>();
        entries.set(entry.accountId, ledger);
        const standing = ledger.get(entry.seq);
        if (standing === undefined) ledger.set(entry.seq, entry);
        else if (!isSameEntry(standing, entry)) throw createEntryConflict(entry);
      }
    },
    async findCharge(accountId, requestId) {
      return charges(accountId).find(({ record }) => record.requestId === requestId);
    },
    async findCredit(accountId, creditId) {
      return credits(accountId).find((entry) => entry.creditId === creditId);
    },
    async findAdjustment(accountId, adjustmentId) {
      return adjustments(accountId).find((entry) => entry.adjustmentId === adjustmentId);
    },
    async listAfter(accountId, afterSeq, limit) {
      return ofAccount(accountId)
        .filter(({ seq }) => seq > afterSeq)
        .slice(0, limit);
    },
    async listBefore(accountId, beforeSeq, limit) {
      return ofAccount(accountId)
        .filter(({ seq }) => seq < beforeSeq)
        .reverse()
        .slice(0, limit);
    },
    async *requestIds(accountId) {
      yield* charges(accountId)
        .map(({ record }) => record.requestId)
        .sort();
    },
  };
}

/** Both stores, empty. */
export function createInMemoryStores(): InMemoryStores {
  return { accounts: createInMemoryAccountStore(), ledger: createInMemoryLedgerStore() };
}
