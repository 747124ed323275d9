import type { IdPage } from '@tollgate/core';
import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { AccountStore, DatedAccount, DatedPage } from '../domain/ports';
import {
  type AccountDocument,
  fromAccountDocument,
  fromWatermarkDocument,
  toAccountDocument,
  type WatermarkDocument,
} from './account-document';

export const ACCOUNTS = 'billing_accounts';

function afterId({ after }: IdPage): { readonly _id?: { readonly $gt: string } } {
  return after === undefined ? {} : { _id: { $gt: after } };
}

type DatedMember = 'journal_at' | 'sweep_at' | 'swept_at';

/** Accounts behind the place: first those of the same time, then those of a later one. */
function filtersAfter(
  member: DatedMember,
  until: number | undefined,
  { after }: DatedPage,
): readonly object[] {
  const upper = until === undefined ? {} : { $lte: until };
  if (after === undefined) return [{ [member]: { $gte: 0, ...upper } }];
  return [
    { [member]: after.atMs, _id: { $gt: after.accountId } },
    { [member]: { $gt: after.atMs, ...upper } },
  ];
}

/** Searches by the derived members, each of which has an index. */
function createSearches(
  mongo: MongoStore,
): Pick<AccountStore, 'listJournals' | 'listExpired' | 'listSwept' | 'listHeldBy' | 'listIds'> {
  const accounts = () => mongo.connection.collection<AccountDocument>(ACCOUNTS);

  const idsOf = async (filter: object, limit: number) => {
    const found = await withDatabaseFailures(() =>
      accounts()
        .find(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit })
        .toArray(),
    );
    return found.map(({ _id }) => _id);
  };

  const datedBy = async (
    member: DatedMember,
    until: number | undefined,
    page: DatedPage,
  ): Promise<readonly DatedAccount[]> => {
    const found: DatedAccount[] = [];
    for (const filter of filtersAfter(member, until, page)) {
      const limit = page.limit - found.length;
      // No limit at all is what 0 means.
      if (limit === 0) break;
      const documents = await withDatabaseFailures(() =>
        accounts()
          .find(filter, { projection: { [member]: 1 }, sort: { [member]: 1, _id: 1 }, limit })
          .toArray(),
      );
      for (const document of documents) {
        found.push({ accountId: document._id, atMs: document[member] ?? 0 });
      }
    }
    return found;
  };

  return {
    listJournals: (writtenUntil, page) => datedBy('journal_at', writtenUntil, page),
    listExpired: (until, page) => datedBy('sweep_at', until, page),
    listSwept: (page) => datedBy('swept_at', undefined, page),
    listHeldBy: (holder, page) => idsOf({ holders: holder, ...afterId(page) }, page.limit),
    listIds: (page) => idsOf(afterId(page), page.limit),
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
    async find(accountId) {
      const document = await withDatabaseFailures(() => accounts().findOne({ _id: accountId }));
      return document === null ? undefined : fromAccountDocument(document);
    },
    async findWatermarks(accountIds) {
      if (accountIds.length === 0) return [];
      const documents = await withDatabaseFailures(() =>
        accounts()
          .find({ _id: { $in: [...accountIds] } })
          .project<WatermarkDocument>({ lease_no: 1, retired: 1, leases: 1 })
          .toArray(),
      );
      return documents.map((document) => ({
        id: document._id,
        read: () => fromWatermarkDocument(document),
      }));
    },
    create: (account) => insertNew(() => accounts().insertOne(toAccountDocument(account))),
    async replace(account, expectedRev) {
      const { _id, ...document } = toAccountDocument(account);
      const { matchedCount } = await withDatabaseFailures(() =>
        accounts().replaceOne({ _id, rev: expectedRev }, document),
      );
      return matchedCount === 1;
    },
  };
}
