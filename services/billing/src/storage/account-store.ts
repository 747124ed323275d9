import {
  afterId,
  type Documents,
  documentsOf,
  listByTime,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { AccountStore, DatedAccount, DatedPage } from '../domain/ports';
import {
  type AccountDocument,
  fromAccountDocument,
  fromWatermarkDocument,
  toAccountDocument,
} from './account-document';
import { COLLECTIONS } from './collections';

type DatedMember = 'journal_at' | 'sweep_at' | 'swept_at';

/** Searches by the derived members, each of which has an index. */
function createSearches(accounts: Documents<AccountDocument>) {
  const idsOf = async (filter: object, limit: number) => {
    const found = await accounts.list(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit });
    return found.map(({ _id }) => _id);
  };

  const datedBy = async (
    member: DatedMember,
    untilAtMs: number | undefined,
    { after, limit }: DatedPage,
  ): Promise<readonly DatedAccount[]> => {
    const range = { $gte: 0, ...(untilAtMs === undefined ? {} : { $lte: untilAtMs }) };
    const last = after && { id: after.accountId, atMs: after.atMs };
    const order = { member, range, projection: { [member]: 1 } } as const;
    const found = await listByTime(accounts, order, { after: last, limit });
    return found.map((document) => ({ accountId: document._id, atMs: document[member] ?? 0 }));
  };

  return {
    listJournals: (writtenUntilAtMs, page) => datedBy('journal_at', writtenUntilAtMs, page),
    listExpired: (untilAtMs, page) => datedBy('sweep_at', untilAtMs, page),
    listSwept: (page) => datedBy('swept_at', undefined, page),
    listHeldBy: (holder, page) => idsOf({ holders: holder, ...afterId(page.after) }, page.limit),
    listIds: (page) => idsOf(afterId(page.after), page.limit),
  } satisfies Partial<AccountStore>;
}

/**
 * Accounts in the document store, one document each. The connection reads from a majority on the
 * primary and writes with a journaled one; a replacement matches on `rev` and is never retried by
 * the driver, so it happens once or its failure is reported.
 */
export function createAccountStore(mongo: MongoStore): AccountStore {
  const accounts = documentsOf<AccountDocument>(mongo, COLLECTIONS.accounts);
  return {
    ...createSearches(accounts),
    async find(accountId) {
      const document = await accounts.find({ _id: accountId });
      return document && fromAccountDocument(document);
    },
    async findWatermarks(accountIds) {
      if (accountIds.length === 0) return [];
      const projection = { lease_no: 1, retired: 1, leases: 1 };
      const documents = await accounts.list({ _id: { $in: [...accountIds] } }, { projection });
      return documents.map((document) => ({
        id: document._id,
        read: () => fromWatermarkDocument(document),
      }));
    },
    create: (account) => accounts.insert(toAccountDocument(account)),
    async replace(account, expectedRev) {
      const { _id, ...document } = toAccountDocument(account);
      const { matchedCount } = await withDatabaseFailures(() =>
        accounts.collection().replaceOne({ _id, rev: expectedRev }, document),
      );
      return matchedCount === 1;
    },
  };
}
