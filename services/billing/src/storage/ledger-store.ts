import { insertNewOnes, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import {
  createEntryConflict,
  isSameEntry,
  type LedgerEntry,
  ledgerIdOf,
} from '../domain/ledger-entry';
import type { LedgerStore } from '../domain/ports';
import { fromEntryDocument, type LedgerDocument, toEntryDocument } from './ledger-document';

export const LEDGER = 'billing_ledger';

/** Documents per insert: a thousand whole usage records stay far below the command size limit. */
const INSERTS_AT_ONCE = 500;
const READS_AT_ONCE = 1_000;

/** After a duplicate: the places that were taken must hold these very entries. */
async function compare(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const standing = new Map<string, LedgerEntry>();
  for await (const document of ledger.find({ _id: { $in: entries.map(ledgerIdOf) } })) {
    standing.set(document._id, fromEntryDocument(document));
  }
  for (const entry of entries) {
    const found = standing.get(ledgerIdOf(entry));
    if (found === undefined || !isSameEntry(found, entry)) throw createEntryConflict(entry);
  }
}

async function insertSome(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const documents = entries.map((entry) => ({ ...toEntryDocument(entry), _id: ledgerIdOf(entry) }));
  // Unordered: the entries that stand already do not keep the others out.
  const insert = () => ledger.insertMany(documents, { ordered: false });
  if (!(await insertNewOnes(insert))) await compare(ledger, entries);
}

function openLedger(mongo: MongoStore) {
  return mongo.connection.collection<LedgerDocument>(LEDGER);
}

type Ledger = ReturnType<typeof openLedger>;

/** The ledger in the document store. Entries are only ever inserted; an erasure empties texts. */
export function createLedgerStore(mongo: MongoStore): LedgerStore {
  const ledger = () => openLedger(mongo);

  const list = async (
    accountId: string,
    seq: { readonly $gt: number } | { readonly $lt: number },
    order: 1 | -1,
    limit: number,
  ): Promise<readonly LedgerEntry[]> => {
    const documents = await withDatabaseFailures(() =>
      ledger().find({ account_id: accountId, seq }).sort({ seq: order }).limit(limit).toArray(),
    );
    return documents.map(fromEntryDocument);
  };

  const findGrant = async (accountId: string, id: string): Promise<LedgerEntry | undefined> => {
    const document = await withDatabaseFailures(() =>
      // The kind lets the index serve, which holds credits and adjustments only.
      ledger().findOne({ account_id: accountId, credit_id: id, kind: 'credit' }),
    );
    return document === null ? undefined : fromEntryDocument(document);
  };

  return {
    async insert(entries) {
      for (let start = 0; start < entries.length; start += INSERTS_AT_ONCE) {
        const some = entries.slice(start, start + INSERTS_AT_ONCE);
        await withDatabaseFailures(() => insertSome(ledger(), some));
      }
    },
    async find(places) {
      const entries: LedgerEntry[] = [];
      for (let start = 0; start < places.length; start += READS_AT_ONCE) {
        const ids = places.slice(start, start + READS_AT_ONCE).map(ledgerIdOf);
        const found = await withDatabaseFailures(() =>
          ledger()
            .find({ _id: { $in: ids } })
            .toArray(),
        );
        for (const document of found) entries.push(fromEntryDocument(document));
      }
      return entries;
    },
    async findCharge(accountId, requestId) {
      const document = await withDatabaseFailures(() =>
        ledger().findOne({ account_id: accountId, 'record.request_id': requestId }),
      );
      const entry = document === null ? undefined : fromEntryDocument(document);
      return entry?.kind === 'charge' ? entry : undefined;
    },
    async findCredit(accountId, creditId) {
      const entry = await findGrant(accountId, creditId);
      return entry?.kind === 'credit' ? entry : undefined;
    },
    async findAdjustment(accountId, adjustmentId) {
      const entry = await findGrant(accountId, adjustmentId);
      return entry?.kind === 'adjustment' ? entry : undefined;
    },
    listAfter: (accountId, afterSeq, limit) => list(accountId, { $gt: afterSeq }, 1, limit),
    listBefore: (accountId, beforeSeq, limit) => list(accountId, { $lt: beforeSeq }, -1, limit),
    async *requestIds(accountId, among) {
      const only = among === undefined ? {} : { 'record.request_id': { $in: [...among] } };
      const cursor = ledger()
        .find({ account_id: accountId, kind: 'charge', ...only })
        .project<{ readonly record: { readonly request_id: string } }>({ 'record.request_id': 1 })
        .sort({ 'record.request_id': 1 })
        // A batch is taken in one go: nothing else of the process runs meanwhile.
        .batchSize(READS_AT_ONCE);
      for await (const { record } of cursor) yield record.request_id;
    },
  };
}
