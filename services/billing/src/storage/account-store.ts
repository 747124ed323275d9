import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { AccountStore, IdPage } from '../domain/ports';
import {
  type AccountDocument,
  fromAccountDocument,
  fromSettlementDocument,
  type SettlementDocument,
  toAccountDocument,
} from './account-document';
import { ACCOUNTS } from './collections';

function afterId({ after }: IdPage): { readonly _id?: { readonly $gt: string } } {
  return after === undefined ? {} : { _id: { $gt: after } };
}

/** Searches by the derived members, each of which has an index. */
function createSearches(
  mongo: MongoStore,
): Pick<AccountStore, 'listJournals' | 'listExpired' | 'listSwept' | 'listHeldBy' | 'listIds'> {
  const accounts = () => mongo.connection.collection<AccountDocument>(ACCOUNTS);

  const idsOf = async (filter: object, limit: number, sort: Readonly<Record<string, 1>>) => {
    const found = await withDatabaseFailures(() =>
      accounts()
        .find(filter, { projection: { _id: 1 }, sort: { ...sort }, limit })
        .toArray(),
    );
    return found.map(({ _id }) => _id);
  };

  return {
    listJournals: (writtenUntil, page) =>
      idsOf({ journal_at: { $lte: writtenUntil }, ...afterId(page) }, page.limit, { _id: 1 }),
    listExpired: (now, limit) => idsOf({ sweep_at: { $lte: now } }, limit, { sweep_at: 1 }),
    listSwept: (page) => idsOf({ swept_at: { $gte: 0 }, ...afterId(page) }, page.limit, { _id: 1 }),
    listHeldBy: (holder, page) =>
      idsOf({ holders: holder, ...afterId(page) }, page.limit, { _id: 1 }),
    listIds: (page) => idsOf(afterId(page), page.limit, { _id: 1 }),
  };
}

/**
 * Accounts in the document store, one document each. The connection reads from a majority on the
 * primary and writes with a journaled one; a replacement matches on `rev` and is never retried by
 * the driver, so it happens once or its failure is reported.
 */
export function createAccountStore(mongo: MongoStore): AccountStore {
  const accounts = () => mongo.connection.collection<AccountDocument>(ACCOUNTS);
  return {
    ...createSearches(mongo),
    async read(accountId) {
      const document = await withDatabaseFailures(() => accounts().findOne({ _id: accountId }));
      return document === null ? undefined : fromAccountDocument(document);
    },
    async readSettlements(accountIds) {
      if (accountIds.length === 0) return [];
      const documents = await withDatabaseFailures(() =>
        accounts()
          .find({ _id: { $in: [...accountIds] } })
          .project<SettlementDocument>({ lease_no: 1, retired: 1, leases: 1 })
          .toArray(),
      );
      return documents.map(fromSettlementDocument);
    },
    create: (account) =>
      withDatabaseFailures(async () => {
        try {
          await accounts().insertOne(toAccountDocument(account));
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    async replace(account, expectedRev) {
      const { _id, ...document } = toAccountDocument(account);
      const { matchedCount } = await withDatabaseFailures(() =>
        accounts().replaceOne({ _id, rev: expectedRev }, document),
      );
      return matchedCount === 1;
    },
  };
}
