import type { IdPage } from '@tollgate/core';
import {
  AS_IS,
  afterId,
  beforeId,
  beginningWith,
  dated,
  documentsOf,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import { type Account, type AccountStatus, nameKeyOf } from '../domain/account';
import { accountEventChangesPrincipals } from '../domain/events';
import type { AccountStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { createOutboxStore, marksOf, type OutboxMarks } from './outbox-store';

const ACCOUNT = {
  id: ID,
  name: AS_IS,
  plan: AS_IS,
  status: AS_IS,
  groups: AS_IS,
  terms: AS_IS,
  importRef: AS_IS,
  createdAt: dated('createdAt'),
  updatedAt: dated('updatedAt'),
  rev: AS_IS,
  outbox: AS_IS,
} satisfies RecordForm<Account>;

/** One name that an account has or had; its id begins with the name's key. */
interface AccountNameDocument {
  readonly _id: string;
  readonly accountId: string;
}

/** Without a status, accounts of any. */
const ofStatus = (status: AccountStatus | undefined) => (status === undefined ? {} : { status });

export function createAccountStore(mongo: MongoStore): AccountStore {
  const accounts = recordsOf<Account, typeof ACCOUNT, OutboxMarks>(
    mongo,
    COLLECTIONS.accounts,
    ACCOUNT,
    ({ outbox }) => marksOf(outbox, accountEventChangesPrincipals),
  );
  const names = createAccountNames(mongo);

  /** Sorted by name; leaves out accounts that were renamed since. */
  const findNamed = async (
    named: readonly AccountNameDocument[],
    status: AccountStatus | undefined,
  ): Promise<readonly Account[]> => {
    const ids = named.map(({ accountId }) => accountId);
    const found = await accounts.list({ _id: { $in: ids }, ...ofStatus(status) });
    const byName = new Map(found.map((account) => [nameIdOf(account), account]));
    return named.flatMap(({ _id }) => byName.get(_id) ?? []);
  };

  return {
    ...createOutboxStore(accounts),
    async insert(account) {
      await names.add(account);
      return accounts.insert(account);
    },
    find: (id) => accounts.find({ _id: id }),
    findByImportRef: (importRef) => accounts.find({ importRef }),
    async update(next) {
      await names.add(next);
      return accounts.replace({ _id: next.id, rev: next.rev - 1 }, next);
    },
    async remove(id) {
      const account = await accounts.take({ _id: id });
      if (account !== undefined) await names.remove(account);
    },
    list(window, status) {
      const filter = { ...ofStatus(status), ...beforeId(window.beforeId) };
      return accounts.list(filter, { sort: { _id: -1 }, limit: window.limit + 1 });
    },
    listErasing({ after, limit }) {
      const filter = { status: 'erasing', ...afterId(after) } as const;
      return accounts.list(filter, { sort: { _id: 1 }, limit });
    },
    async searchByName({ prefix, after, limit, status }) {
      const found: Account[] = [];
      let last = after && nameIdOf(after);
      for (;;) {
        const named = await names.list({ prefix, after: last, limit });
        found.push(...(await findNamed(named, status)));
        last = named.at(-1)?._id;
        // Names that accounts have no more left places for others.
        if (named.length < limit || found.length >= limit) return found.slice(0, limit);
      }
    },
  };
}

/**
 * Names of accounts, in the order of their keys. They stand beside the accounts, because an earlier
 * version writes no account that has a field it does not know. A name that an account does not have
 * any more stays: who reads compares.
 */
function createAccountNames(mongo: MongoStore) {
  const names = documentsOf<AccountNameDocument>(mongo, COLLECTIONS.accountNames);
  return {
    /** Called before the account is written, so that no account is without its name here. */
    add: (account: Pick<Account, 'id' | 'name'>) =>
      names.upsert({ _id: nameIdOf(account) }, { $set: { accountId: account.id } }),
    remove: (account: Pick<Account, 'id' | 'name'>) => names.remove({ _id: nameIdOf(account) }),
    list: ({ prefix, after, limit }: IdPage & { readonly prefix: string }) =>
      names.list({ _id: beginningWith(prefix, after) }, { sort: { _id: 1 }, limit }),
  };
}

/** No name has a line feed, so that names are in order and equal ones in that of their accounts. */
export function nameIdOf({ id, name }: Pick<Account, 'id' | 'name'>): string {
  return `${nameKeyOf(name)}\n${id}`;
}
