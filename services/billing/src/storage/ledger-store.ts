import { chunksOf } from '@tollgate/core';
import {
  type Documents,
  documentsOf,
  insertNewOnes,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import {
  createEntryConflict,
  isSameEntry,
  type LedgerEntry,
  ledgerIdOf,
} from '../domain/ledger-entry';
import type { LedgerStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { fromEntryDocument, type LedgerDocument, toEntryDocument } from './ledger-document';

/** Documents per insert: a thousand whole usage records stay far below the command size limit. */
const INSERTS_AT_ONCE = 500;
const READS_AT_ONCE = 1_000;

type Ledger = ReturnType<Documents<LedgerDocument>['collection']>;
type ChargeDocument = Extract<LedgerDocument, { readonly kind: 'charge' }>;

/** After a duplicate: the places that were taken must hold these very entries. */
async function compare(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const stored = new Map<string, LedgerEntry>();
  for await (const document of ledger.find({ _id: { $in: entries.map(ledgerIdOf) } })) {
    stored.set(document._id, fromEntryDocument(document));
  }
  for (const entry of entries) {
    const found = stored.get(ledgerIdOf(entry));
    if (found === undefined || !isSameEntry(found, entry)) throw createEntryConflict(entry);
  }
}

async function insertSome(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const documents = entries.map((entry) => ({ ...toEntryDocument(entry), _id: ledgerIdOf(entry) }));
  // Unordered: the entries that stand already do not keep the others out.
  const insert = () => ledger.insertMany(documents, { ordered: false });
  if (!(await insertNewOnes(insert))) await compare(ledger, entries);
}

/** The ledger in the document store. Entries are only ever inserted; an erasure empties texts. */
export function createLedgerStore(mongo: MongoStore): LedgerStore {
  const ledger = documentsOf<LedgerDocument>(mongo, COLLECTIONS.ledger);
  const charges = documentsOf<ChargeDocument>(mongo, COLLECTIONS.ledger);

  const list = async (
    accountId: string,
    seq: { readonly $gt: number } | { readonly $lt: number },
    order: 1 | -1,
    limit: number,
  ): Promise<readonly LedgerEntry[]> => {
    const options = { sort: { seq: order }, limit };
    const documents = await ledger.list({ account_id: accountId, seq }, options);
    return documents.map(fromEntryDocument);
  };

  return {
    async insert(entries) {
      for (const some of chunksOf(entries, INSERTS_AT_ONCE)) {
        await withDatabaseFailures(() => insertSome(ledger.collection(), some));
      }
    },
    async find(places) {
      const entries: LedgerEntry[] = [];
      for (const some of chunksOf(places, READS_AT_ONCE)) {
        const found = await ledger.list({ _id: { $in: some.map(ledgerIdOf) } });
        entries.push(...found.map(fromEntryDocument));
      }
      return entries;
    },
    async findCharge(accountId, requestId) {
      const wanted = { account_id: accountId, 'record.request_id': requestId };
      const document = await ledger.find(wanted);
      const entry = document && fromEntryDocument(document);
      return entry?.kind === 'charge' ? entry : undefined;
    },
    async findGrant(accountId, creditId) {
      // The kind lets the index serve, which holds credits and adjustments only.
      const wanted = { account_id: accountId, credit_id: creditId, kind: 'credit' } as const;
      const document = await ledger.find(wanted);
      const entry = document && fromEntryDocument(document);
      return entry?.kind === 'charge' ? undefined : entry;
    },
    listAfter: (accountId, afterSeq, limit) => list(accountId, { $gt: afterSeq }, 1, limit),
    listBefore: (accountId, beforeSeq, limit) => list(accountId, { $lt: beforeSeq }, -1, limit),
    async *requestIds(accountId, among) {
      const only = among === undefined ? {} : { 'record.request_id': { $in: [...among] } };
      const wanted = { account_id: accountId, kind: 'charge', ...only } as const;
      const requestId = { 'record.request_id': 1 } as const;
      const found = charges.each(wanted, { projection: requestId, sort: requestId });
      for await (const { record } of found) yield record.request_id;
    },
  };
}
