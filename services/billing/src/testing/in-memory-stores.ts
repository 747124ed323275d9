import type { IdPage } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AuditMark } from '../domain/audit-checks';
import type { Claim, OwnedClaim } from '../domain/claims';
import type { OutboxBatch } from '../domain/journal';
import {
  type ChargeEntry,
  createEntryConflict,
  type GrantEntry,
  isSameEntry,
  type LedgerEntry,
} from '../domain/ledger-entry';
import type {
  AccountStore,
  AuditMarkStore,
  ClaimStore,
  DatedAccount,
  DatedPage,
  LedgerStore,
  OutboxStore,
  QuarantineRecord,
  QuarantineStore,
  StoredBatch,
} from '../domain/ports';

/** The stores over plain maps: every call is one atomic step, and nothing is ever lost. */
export interface InMemoryStores {
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
}

function pageOf(ids: Iterable<string>, { after, limit }: IdPage): readonly string[] {
  return [...ids]
    .filter((id) => after === undefined || id > after)
    .sort()
    .slice(0, limit);
}

function datedPageOf(
  dated: readonly DatedAccount[],
  { after, limit }: DatedPage,
): readonly DatedAccount[] {
  const order = (a: DatedAccount, b: DatedAccount) =>
    a.atMs - b.atMs || Number(a.accountId > b.accountId) - Number(a.accountId < b.accountId);
  return dated
    .filter((one) => after === undefined || order(one, after) > 0)
    .sort(order)
    .slice(0, limit);
}

/** The account store; the map may be shared to look inside or to roll it back. */
export function createInMemoryAccountStore(
  documents: Map<string, Account> = new Map(),
): AccountStore {
  const idsWhere = (matches: (account: Account) => boolean) =>
    [...documents.values()].filter(matches).map(({ id }) => id);
  const leasesOf = (account: Account) => [...account.leases.values()];
  const byFirstExpiry = (swept: boolean, untilAtMs = Number.POSITIVE_INFINITY): DatedAccount[] =>
    [...documents.values()].flatMap((account) => {
      const expiries = leasesOf(account).flatMap((one) =>
        one.swept === swept ? one.expiresAtMs : [],
      );
      const atMs = Math.min(...expiries);
      return expiries.length > 0 && atMs <= untilAtMs ? { accountId: account.id, atMs } : [];
    });
  return {
    async find(accountId) {
      return documents.get(accountId);
    },
    async findWatermarks(accountIds) {
      return accountIds.flatMap((id) => {
        const account = documents.get(id);
        return account === undefined ? [] : { id, read: () => account };
      });
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
    async listJournals(writtenUntilAtMs, page) {
      const waiting = [...documents.values()].flatMap(({ id, journal, updatedAtMs }) =>
        journal.length > 0 && updatedAtMs <= writtenUntilAtMs
          ? { accountId: id, atMs: updatedAtMs }
          : [],
      );
      return datedPageOf(waiting, page);
    },
    async listExpired(untilAtMs, page) {
      return datedPageOf(byFirstExpiry(false, untilAtMs), page);
    },
    async listSwept(page) {
      return datedPageOf(byFirstExpiry(true), page);
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
  const grants = (accountId: string): readonly GrantEntry[] =>
    ofAccount(accountId).filter((entry) => entry.kind !== 'charge');
  return {
    async insert(added) {
      for (const entry of added) {
        const ledger = entries.get(entry.accountId) ?? new Map<number, LedgerEntry>();
        entries.set(entry.accountId, ledger);
        const kept = ledger.get(entry.seq);
        if (kept === undefined) ledger.set(entry.seq, entry);
        else if (!isSameEntry(kept, entry)) throw createEntryConflict(entry);
      }
    },
    async find(places) {
      return places.flatMap(({ accountId, seq }) => entries.get(accountId)?.get(seq) ?? []);
    },
    async findCharge(accountId, requestId) {
      return charges(accountId).find(({ record }) => record.requestId === requestId);
    },
    async findGrant(accountId, creditId) {
      return grants(accountId).find((entry) => entry.creditId === creditId);
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
    async *requestIds(accountId, among) {
      yield* charges(accountId)
        .map(({ record }) => record.requestId)
        .filter((id) => among === undefined || among.includes(id))
        .sort();
    },
  };
}

/** The outbox store; the map (by id) may be shared to look inside. */
export function createInMemoryOutboxStore(
  batches: Map<string, OutboxBatch> = new Map(),
): OutboxStore {
  return {
    async insert(added) {
      for (const batch of added) batches.set(batch.id, batch);
    },
    async list(page) {
      const listed: StoredBatch[] = [];
      let messages = 0;
      for (const id of pageOf(batches.keys(), page)) {
        const batch = batches.get(id);
        if (batch === undefined || messages >= page.messagesMax) break;
        listed.push({ id, messageCount: batch.items.length, read: () => batch });
        messages += batch.items.length;
      }
      return listed;
    },
    async remove(ids) {
      for (const id of ids) batches.delete(id);
    },
  };
}

/** Claims; the maps (by id, and the ids of open ones) may be shared to look inside. */
export function createInMemoryClaimStore(
  claims: Map<string, Claim> = new Map(),
  open: Set<string> = new Set(),
): ClaimStore {
  return {
    async keep(claim) {
      const kept = claims.get(claim.id);
      if (kept !== undefined) return kept;
      claims.set(claim.id, claim);
      if (claim.accountId !== undefined) open.add(claim.id);
      return claim;
    },
    async find(ids) {
      return ids.flatMap((id) => {
        const claim = claims.get(id);
        return claim === undefined ? [] : [{ id, read: () => claim }];
      });
    },
    async close(id) {
      open.delete(id);
    },
    async listOpen(untilAtMs, page) {
      const due = [...open].filter((id) => (claims.get(id)?.claimedAtMs ?? 0) <= untilAtMs);
      return pageOf(due, page).flatMap((id) => {
        const claim = claims.get(id);
        if (claim?.accountId === undefined) return [];
        const owned = claim as OwnedClaim;
        return [{ id, accountId: owned.accountId, read: () => owned }];
      });
    },
  };
}

/** The quarantine; the map (by id) may be shared to look inside. */
export function createInMemoryQuarantineStore(
  records: Map<string, QuarantineRecord> = new Map(),
): QuarantineStore {
  return {
    async keep(record) {
      records.set(record.id, {
        ...record,
        quarantinedAtMs: records.get(record.id)?.quarantinedAtMs ?? record.quarantinedAtMs,
      });
    },
    async remove(id) {
      records.delete(id);
    },
    async list(limit, accountId) {
      return [...records.values()]
        .filter((record) => accountId === undefined || record.accountId === accountId)
        .slice(0, limit);
    },
  };
}

/** Marks of audits; the map (by account) may be shared to look inside. */
export function createInMemoryAuditMarkStore(
  marks: Map<string, AuditMark> = new Map(),
): AuditMarkStore {
  return {
    async find(accountIds) {
      return new Map([...marks].filter(([id]) => accountIds.includes(id)));
    },
    async write(accountId, mark) {
      marks.set(accountId, mark);
    },
    async listOldest(untilAtMs, limit) {
      return [...marks]
        .flatMap(([accountId, mark]) => (mark.kind === 'sound' ? [{ accountId, ...mark }] : []))
        .filter(({ wholeAtMs }) => wholeAtMs <= untilAtMs)
        .sort((a, b) => a.wholeAtMs - b.wholeAtMs)
        .slice(0, limit)
        .map(({ accountId, sums }) => ({ accountId, seq: sums.seq }));
    },
  };
}

/** All stores, empty. */
export function createInMemoryStores(): InMemoryStores {
  return {
    accounts: createInMemoryAccountStore(),
    ledger: createInMemoryLedgerStore(),
    outbox: createInMemoryOutboxStore(),
    claims: createInMemoryClaimStore(),
  };
}
