import type { IdPage } from '@tollgate/core';
import {
  type Documents,
  documentsOf,
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
function createSearches(accounts: Documents<AccountDocument>) {
  const idsOf = async (filter: object, limit: number) => {
    const found = await accounts.list(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit });
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
      const sort = { [member]: 1, _id: 1 } as const;
      for (const document of await accounts.list(filter, {
        projection: { [member]: 1 },
        sort,
        limit,
      })) {
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
  } satisfies Partial<AccountStore>;
}

/**
 * Accounts in the document store, one document each. The connection reads from a majority on the
 * primary and writes with a journaled one; a replacement matches on `rev` and is never retried by
 * the driver, so it happens once or its failure is reported.
 */
export function createAccountStore(mongo: MongoStore): AccountStore {
  const accounts = documentsOf<AccountDocument>(mongo, ACCOUNTS);
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
