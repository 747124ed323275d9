import { withoutUndefined } from '@tollgate/core';
import {
  AS_IS,
  beforeId,
  beginningWith,
  dated,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import type { UserStore } from '../domain/ports';
import type { LinkedIdentity, User } from '../domain/user';
import { COLLECTIONS } from './collections';

const USER = {
  id: ID,
  email: AS_IS,
  emailProven: AS_IS,
  displayName: AS_IS,
  role: AS_IS,
  status: AS_IS,
  accountId: AS_IS,
  passwordHash: AS_IS,
  passwordChangeId: AS_IS,
  mustChangePassword: AS_IS,
  identities: AS_IS,
  createdAt: dated('createdAt'),
  rev: AS_IS,
} satisfies RecordForm<User>;

interface BesideUser {
  /** Issuer and subject as one text each; unique, absent for users without an outside login. */
  readonly identityKeys: readonly string[] | undefined;
}

export function createUserStore(mongo: MongoStore): UserStore {
  const users = recordsOf<User, typeof USER, BesideUser>(
    mongo,
    COLLECTIONS.users,
    USER,
    ({ identities }) => ({
      identityKeys: identities.length === 0 ? undefined : identities.map(identityKey),
    }),
  );

  return {
    insert: users.insert,
    find: (id) => users.find({ _id: id }),
    findByEmail: (email) => users.find({ email }),
    findByIdentity: (identity) => users.find({ identityKeys: identityKey(identity) }),
    update: (next) => users.replace({ _id: next.id, rev: next.rev - 1 }, next),
    remove: (id) => users.remove({ _id: id }),
    list({ accountId, window }) {
      const filter = withoutUndefined({ accountId, ...beforeId(window.beforeId) });
      return users.list(filter, { sort: { _id: -1 }, limit: window.limit + 1 });
    },
    searchByEmail({ prefix, after, limit, accountId }) {
      const filter = withoutUndefined({ email: beginningWith(prefix, after?.email), accountId });
      return users.list(filter, { sort: { email: 1 }, limit });
    },
    countOf: (accountId, countMax) => users.count({ accountId }, { limit: countMax }),
    listOwnersAndOperators: (accountId, limit) =>
      users.list({ accountId, role: { $in: ['owner', 'operator'] }, status: 'active' }, { limit }),
    listOperatorsOf: (accountId, limit) =>
      users.list({ accountId, role: 'operator', status: 'active' }, { limit }),
    listOperators: (limit) => users.list({ role: 'operator', status: 'active' }, { limit }),
  };
}

function identityKey({ issuer, subject }: LinkedIdentity): string {
  return `${issuer}\n${subject}`;
}
