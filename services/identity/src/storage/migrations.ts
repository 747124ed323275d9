import type { Migration } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

type Connection = Parameters<Migration['up']>[0];

/** The store deletes a document once the date in the indexed field is past. */
const EXPIRE_AT_DATE = { expireAfterSeconds: 0 } as const;

async function createIndexes(connection: Connection): Promise<void> {
  const of = (name: keyof typeof COLLECTIONS) => connection.collection(COLLECTIONS[name]);
  await of('accounts').createIndex({ importRef: 1 }, { unique: true, sparse: true });
  await of('users').createIndex({ email: 1 }, { unique: true });
  await of('users').createIndex({ identityKeys: 1 }, { unique: true, sparse: true });
  await of('users').createIndex({ accountId: 1, _id: -1 });
  await of('apiKeys').createIndex({ publicId: 1 }, { unique: true, sparse: true });
  await of('apiKeys').createIndex({ legacyDigest: 1 }, { unique: true, sparse: true });
  await of('apiKeys').createIndex({ accountId: 1, _id: -1 });
  await of('apiKeys').createIndex({ 'settings.expiresAt': 1 }, { sparse: true });
  await of('apiKeys').createIndex({ purgeAt: 1 }, EXPIRE_AT_DATE);
  await of('sessions').createIndex({ userId: 1 });
  await of('signingKeys').createIndex({ generation: 1 }, { unique: true });
  for (const name of ['accounts', 'apiKeys'] as const) {
    for (const mark of ['outboxPending', 'gatewaysPending'] as const) {
      // Pages in the order of ids need no sorting, however many documents are marked.
      const partialFilterExpression = { [mark]: true };
      await of(name).createIndex({ [mark]: 1, _id: 1 }, { partialFilterExpression });
    }
  }
  const expiring = [
    'sessions',
    'refreshTokens',
    'loginAttempts',
    'idempotency',
    'oauthStates',
    'oauthCodes',
  ] as const;
  for (const name of expiring) await of(name).createIndex({ expiresAt: 1 }, EXPIRE_AT_DATE);
}

/** One index for each filter, in the order of the ids, which is that of time. */
async function indexAuditLog(connection: Connection): Promise<void> {
  const entries = connection.collection(COLLECTIONS.auditLog);
  await entries.createIndex({ expiresAt: 1 }, EXPIRE_AT_DATE);
  for (const field of ['accountId', 'actorUserId', 'actorKeyId', 'operation', 'resourceId']) {
    await entries.createIndex({ [field]: 1, _id: -1 });
  }
}

async function indexResetCodes(connection: Connection): Promise<void> {
  const codes = connection.collection(COLLECTIONS.resetCodes);
  await codes.createIndex({ expiresAt: 1 }, EXPIRE_AT_DATE);
  await codes.createIndex({ userId: 1 });
}

/** The few operators among many people. */
async function indexOperators(connection: Connection): Promise<void> {
  const users = connection.collection(COLLECTIONS.users);
  const partialFilterExpression = { role: 'operator' };
  await users.createIndex({ role: 1, status: 1 }, { partialFilterExpression });
}

/** By what a person or an account is found where something of them is kept. */
async function indexErasure(connection: Connection): Promise<void> {
  const of = (name: keyof typeof COLLECTIONS) => connection.collection(COLLECTIONS[name]);
  await of('accounts').createIndex({ status: 1, _id: 1 });
  await of('accountNames').createIndex({ accountId: 1 });
  await of('refreshTokens').createIndex({ userId: 1 });
  await of('oauthCodes').createIndex({ userId: 1 });
  await of('idempotency').createIndex({ effectId: 1 });
}

/** The few keys that an account has among the many that it deleted. */
async function indexPresentKeys(connection: Connection): Promise<void> {
  const keys = connection.collection(COLLECTIONS.apiKeys);
  await keys.createIndex({ accountId: 1, revokedAt: 1, _id: -1 });
}

/** The keys that an erasure has still to do, among those that it has done: these have no preview. */
async function indexUnerasedKeys(connection: Connection): Promise<void> {
  const keys = connection.collection(COLLECTIONS.apiKeys);
  await keys.createIndex({ accountId: 1, preview: 1 });
}

/** Every step of the schema, in order; released names never change. */
export const identityMigrations: readonly Migration[] = [
  { name: '0001-indexes', up: createIndexes },
  { name: '0003-audit-log', up: indexAuditLog },
  { name: '0004-reset-codes', up: indexResetCodes },
  { name: '0005-operators', up: indexOperators },
  { name: '0007-erasure', up: indexErasure },
  { name: '0008-present-keys', up: indexPresentKeys },
  { name: '0009-unerased-keys', up: indexUnerasedKeys },
];
