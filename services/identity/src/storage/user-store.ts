import type { MongoStore } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { Role } from '../domain/actor';
import type { UserStore } from '../domain/ports';
import type { LinkedIdentity, User, UserStatus } from '../domain/user';
import { COLLECTIONS, defineDocuments, defined, END_OF_TEXT, toUpdate } from './document-model';

interface UserDocument {
  readonly _id: string;
  readonly email: string;
  readonly emailProven: boolean;
  readonly displayName: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly accountId: string;
  readonly passwordHash?: string;
  readonly passwordChangeId?: string;
  readonly mustChangePassword?: boolean;
  readonly identities: readonly LinkedIdentity[];
  /** Issuer and subject as one text each; unique, absent for users without an outside login. */
  readonly identityKeys?: readonly string[];
  readonly createdAt: Date;
  readonly rev: number;
}

const OPTIONAL = [
  'passwordHash',
  'passwordChangeId',
  'mustChangePassword',
  'identityKeys',
] as const;

export function createUserStore(store: MongoStore): UserStore {
  const users = defineDocuments<UserDocument>(store, COLLECTIONS.users, {
    email: String,
    emailProven: Boolean,
    displayName: String,
    role: String,
    status: String,
    accountId: String,
    passwordHash: String,
    passwordChangeId: String,
    mustChangePassword: Boolean,
    identities: [{ type: Object, _id: false }],
    identityKeys: { type: [String], default: undefined },
    createdAt: Date,
    rev: Number,
  });

  const findOne = async (filter: Record<string, unknown>): Promise<User | undefined> => {
    const found = await users.find(filter);
    return found && fromDocument(found);
  };

  const listSome = async (filter: Record<string, unknown>, limit: number) =>
    (await users.list(filter, { limit })).map(fromDocument);

  return {
    insert: (user) => users.insert(toDocument(user)),
    find: (id) => findOne({ _id: id }),
    findByEmail: (email) => findOne({ email }),
    findByIdentity: (identity) => findOne({ identityKeys: identityKey(identity) }),
    update: (next) =>
      users.update(
        { _id: next.id, rev: next.rev - 1 },
        toUpdate({ ...toDocument(next) }, OPTIONAL),
      ),
    remove: async (id) => (await users.take({ _id: id })) !== undefined,
    async list({ accountId, window }) {
      const filter = {
        ...(accountId === undefined ? {} : { accountId }),
        ...(window.beforeId === undefined
          ? {}
          : { _id: mongoose.trusted({ $lt: window.beforeId }) }),
      };
      const found = await users.list(filter, { sort: { _id: -1 }, limit: window.limit + 1 });
      return found.map(fromDocument);
    },
    async searchByEmail({ prefix, after, limit, accountId }) {
      const range = {
        $gte: prefix,
        $lt: `${prefix}${END_OF_TEXT}`,
        ...(after === undefined ? {} : { $gt: after.email }),
      };
      const filter = {
        email: mongoose.trusted(range),
        ...(accountId === undefined ? {} : { accountId }),
      };
      const found = await users.list(filter, { sort: { email: 1 }, limit });
      return found.map(fromDocument);
    },
    async countOf(accountId, countMax) {
      const options = { projection: { _id: 1 }, limit: countMax } as const;
      return (await users.list({ accountId }, options)).length;
    },
    listOwnersAndOperators(accountId, limit) {
      const role: unknown = mongoose.trusted({ $in: ['owner', 'operator'] });
      return listSome({ accountId, role, status: 'active' }, limit);
    },
    listOperatorsOf: (accountId, limit) =>
      listSome({ accountId, role: 'operator', status: 'active' }, limit),
    listOperators: (limit) => listSome({ role: 'operator', status: 'active' }, limit),
  };
}

function identityKey({ issuer, subject }: LinkedIdentity): string {
  return `${issuer}\n${subject}`;
}

function toDocument(user: User): UserDocument {
  const { id, createdAt, identities, ...rest } = user;
  return defined({
    ...rest,
    _id: id,
    identities,
    identityKeys: identities.length === 0 ? undefined : identities.map(identityKey),
    createdAt: new Date(createdAt),
  });
}

function fromDocument(document: UserDocument): User {
  const { _id, createdAt, passwordHash, identityKeys, ...rest } = document;
  return { ...rest, id: _id, passwordHash, createdAt: createdAt.getTime() };
}
