import type { IdPage } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import mongoose from 'mongoose';
import { type Account, nameKeyOf } from '../domain/account';
import { COLLECTIONS, defineDocuments, END_OF_TEXT } from './document-model';

/** One name that an account has or had; its id begins with the name's key. */
interface AccountNameDocument {
  readonly _id: string;
  readonly accountId: string;
}

/** Names of accounts, in the order of their keys. */
export interface AccountNames {
  /** Called before the account is written, so that no account is without its name here. */
  add(account: Pick<Account, 'id' | 'name'>): Promise<void>;
  remove(account: Pick<Account, 'id' | 'name'>): Promise<void>;
  list(search: IdPage & { readonly prefix: string }): Promise<readonly AccountNameDocument[]>;
}

/**
 * Stands beside the accounts, because an earlier version writes no account that has a field it
 * does not know. A name that an account does not have any more stays: who reads compares.
 */
export function createAccountNames(store: MongoStore): AccountNames {
  const names = defineDocuments<AccountNameDocument>(store, COLLECTIONS.accountNames, {
    accountId: String,
  });
  return {
    add: (account) => names.upsert({ _id: nameIdOf(account) }, { $set: { accountId: account.id } }),
    remove: (account) => names.remove({ _id: nameIdOf(account) }),
    list({ prefix, after, limit }) {
      const range = {
        $gte: prefix,
        $lt: `${prefix}${END_OF_TEXT}`,
        ...(after === undefined ? {} : { $gt: after }),
      };
      return names.list({ _id: mongoose.trusted(range) }, { sort: { _id: 1 }, limit });
    },
  };
}

/** No name has a line feed, so that names are in order and equal ones in that of their accounts. */
export function nameIdOf({ id, name }: Pick<Account, 'id' | 'name'>): string {
  return `${nameKeyOf(name)}\n${id}`;
}
