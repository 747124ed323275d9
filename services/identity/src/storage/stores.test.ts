import { DAY_MS, nano, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { type MongoStore, openMongo } from '@tollgate/mongo';
import { createTestMongo } from '@tollgate/testkit';
import { mongo as driver } from 'mongoose';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { AccountStore, ApiKeyStore, UserStore } from '../domain/ports';
import type { User } from '../domain/user';
import { createAccountStore } from './account-store';
import { createApiKeyStore } from './api-key-store';
import { createAuditLogStore } from './audit-log-store';
import { COLLECTIONS } from './collections';
import { createFirstStartStore } from './first-start-store';
import { createLoginAttemptStore } from './login-attempt-store';
import { createOAuthStore } from './oauth-store';
import { createResetCodeStore } from './reset-code-store';
import { createRefreshTokenStore, createSessionStore } from './session-store';
import { createSigningKeyStore } from './signing-key-store';
import { createUserStore } from './user-store';

const { deserialize, EJSON } = driver.BSON;

let server: EmbeddedMongo;
let mongo: MongoStore;
let users: UserStore;
let accounts: AccountStore;
let keys: ApiKeyStore;

beforeAll(async () => {
  server = await createTestMongo();
  mongo = openMongo({ uri: server.uriFor('identity'), appName: 'test', logger: silentLogger });
  await mongo.connect();
  users = createUserStore(mongo);
  accounts = createAccountStore(mongo);
  keys = createApiKeyStore(mongo);
});

afterAll(async () => {
  await mongo.close();
  await server.close();
});

const collectionOf = (name: keyof typeof COLLECTIONS) =>
  mongo.connection.collection<{ _id: string; [name: string]: unknown }>(COLLECTIONS[name]);

/** What is stored under the id: every member with its type. */
async function stored(name: keyof typeof COLLECTIONS, _id: string): Promise<unknown> {
  const bytes: unknown = await collectionOf(name).findOne({ _id }, { raw: true });
  const document = deserialize(bytes as Uint8Array, { promoteValues: false });
  return JSON.parse(EJSON.stringify(document, { relaxed: false }));
}

const date = (ms: number) => ({ $date: { $numberLong: String(ms) } });
const int = (value: number) => ({ $numberInt: String(value) });

test('a session is stored with dates, and its end once there is one', async () => {
  const sessions = createSessionStore(mongo);
  const session = { id: 'ses_1', userId: 'usr_1', createdAtMs: 1, expiresAtMs: 2 };
  const document = { _id: 'ses_1', userId: 'usr_1', createdAt: date(1), expiresAt: date(2) };
  await sessions.insert({ ...session, endedAtMs: undefined });
  expect(await stored('sessions', 'ses_1')).toEqual(document);
  expect(await sessions.find('ses_1')).toEqual(session);
  await sessions.end('ses_1', 'usr_1', 3);
  expect(await stored('sessions', 'ses_1')).toEqual({ ...document, endedAt: date(3) });
  expect(await sessions.find('ses_1')).toEqual({ ...session, endedAtMs: 3 });
});

test('a refresh token is stored by its digest', async () => {
  const tokens = createRefreshTokenStore(mongo);
  const token = { digest: 'digest', sessionId: 'ses_1', userId: 'usr_1', expiresAtMs: 2 };
  const document = { _id: 'digest', sessionId: 'ses_1', userId: 'usr_1', expiresAt: date(2) };
  await tokens.insert({ ...token, usedAtMs: undefined });
  expect(await stored('refreshTokens', 'digest')).toEqual(document);
  expect(await tokens.use('digest', 1)).toBe(true);
  expect(await tokens.use('digest', 1)).toBe(false);
  expect(await stored('refreshTokens', 'digest')).toEqual({ ...document, usedAt: date(1) });
  expect(await tokens.find('digest')).toEqual({ ...token, usedAtMs: 1 });
});

test('a login at a provider is stored by the digest of its state, then of its code', async () => {
  const oauth = createOAuthStore(mongo);
  const state = {
    providerId: 'github',
    redirectTo: '/',
    callbackUrl: 'https://example.com/callback',
    bindingDigest: 'binding',
    verifierDigest: 'verifier',
  };
  await oauth.insertState({ ...state, digest: 'state', expiresAtMs: 5 });
  expect(await stored('oauthStates', 'state')).toEqual({
    _id: 'state',
    ...state,
    expiresAt: date(5),
  });
  expect(await oauth.takeState('state')).toEqual({ ...state, digest: 'state', expiresAtMs: 5 });
  expect(await oauth.takeState('state')).toBeUndefined();
  const code = { userId: 'usr_1', bindingDigest: 'binding' };
  await oauth.insertCode({ ...code, digest: 'code', expiresAtMs: 6 });
  expect(await stored('oauthCodes', 'code')).toEqual({ _id: 'code', ...code, expiresAt: date(6) });
  expect(await oauth.takeCode('code')).toEqual({ ...code, digest: 'code', expiresAtMs: 6 });
});

test('a reset code takes the place of the one before', async () => {
  const codes = createResetCodeStore(mongo);
  await codes.write({ digest: 'first', userId: 'usr_1', expiresAtMs: 5 });
  await codes.write({ digest: 'second', userId: 'usr_1', expiresAtMs: 6 });
  expect(await codes.find('first')).toBeUndefined();
  expect(await stored('resetCodes', 'second')).toEqual({
    _id: 'second',
    userId: 'usr_1',
    expiresAt: date(6),
  });
  const code = { digest: 'second', userId: 'usr_1', expiresAtMs: 6 };
  expect(await codes.find('second')).toEqual(code);
  expect(await codes.take('second')).toBe(true);
});

test('a signing key is stored by its id', async () => {
  const signingKeys = createSigningKeyStore(mongo);
  const key = { publicKeyPem: 'pem', sealedPrivateKey: 'sealed', generation: 1 };
  const record = { ...key, kid: 'kid', createdAtMs: 1, activeFromAtMs: 2 };
  await signingKeys.insert(record);
  expect(await stored('signingKeys', 'kid')).toEqual({
    _id: 'kid',
    ...key,
    generation: int(1),
    createdAt: date(1),
    activeFrom: date(2),
  });
  expect(await signingKeys.list()).toEqual([record]);
});

test('the state of the first start is one document', async () => {
  const firstStart = createFirstStartStore(mongo);
  const ids = { accountId: 'acc_1', userId: 'usr_1', keyId: 'key_1' };
  const state = { ...ids, made: false, begunAtMs: 1_000, credited: false };
  expect(await firstStart.begin(state)).toBe(true);
  expect(await firstStart.begin(state)).toBe(false);
  expect(await stored('firstStart', 'first-start')).toEqual({
    _id: 'first-start',
    ...ids,
    made: false,
    claimedAt: date(1_000),
    credited: false,
  });
  expect(await firstStart.beginAgain('key_0', 'key_2')).toBe(false);
  expect(await firstStart.beginAgain('key_1', 'key_2')).toBe(true);
  expect(await firstStart.markMade('key_1')).toBe(false);
  expect(await firstStart.markMade('key_2')).toBe(true);
  expect(await firstStart.beginAgain('key_2', 'key_3')).toBe(false);
  expect(await firstStart.find()).toEqual({ ...state, keyId: 'key_2', made: true });
});

test('an entry of the audit log is stored with the end of its retention', async () => {
  const entries = createAuditLogStore(mongo, DAY_MS);
  const fields = {
    operation: 'POST /v1/keys',
    actorAccountId: 'acc_1',
    actorUserId: 'usr_1',
    actorKeyId: '',
    operator: false,
    accountId: 'acc_1',
    resourceType: 'key',
    resourceId: 'key_1',
    remoteAddress: '127.0.0.1',
    requestId: 'req_1',
    outcome: 'succeeded',
    errorCode: '',
  } as const;
  const texts = { request: '{}', before: '', after: '{"id":"key_1"}' };
  const entry = { ...fields, ...texts, id: 'aud_1', atMs: 1_000 };
  await entries.insert(entry);
  const dates = { at: date(1_000), expiresAt: date(1_000 + DAY_MS) };
  expect(await stored('auditLog', 'aud_1')).toEqual({
    _id: 'aud_1',
    ...dates,
    ...fields,
    ...texts,
  });
  expect(await entries.find('aud_1')).toEqual(entry);
  const anything = {
    byActor: undefined,
    accountId: undefined,
    operation: undefined,
    resourceId: undefined,
    startAtMs: undefined,
    endAtMs: undefined,
  };
  const [listed] = await entries.list(anything, { limit: 1, beforeId: undefined });
  expect(listed).toEqual({ ...entry, request: '', before: '', after: '' });
  await entries.update('aud_1', { outcome: 'unknown', after: '' });
  expect(await entries.find('aud_1')).toEqual({ ...entry, outcome: 'unknown', after: '' });
  await entries.insertOnce({ ...entry, id: 'aud_2' });
  await entries.insertOnce({ ...entry, id: 'aud_2', operation: 'another' });
  expect(await entries.find('aud_2')).toEqual({ ...entry, id: 'aud_2' });
});

const USER: User = {
  id: 'usr_1',
  email: 'one@example.com',
  emailProven: true,
  displayName: 'One',
  role: 'owner',
  status: 'active',
  accountId: 'acc_1',
  passwordHash: 'hash',
  passwordChangeId: 'change',
  mustChangePassword: true,
  identities: [{ issuer: 'https://github.com', subject: '1' }],
  createdAt: 1_000,
  rev: 1,
};

test('first attempts that race are all counted, and a network is remembered by each', async () => {
  const attempts = createLoginAttemptStore(mongo);
  const counted = await Promise.all([1, 2, 3, 4].map(() => attempts.count('pair:x', 1_000, 1)));
  expect(counted.sort()).toEqual([1, 2, 3, 4]);
  await Promise.all([5, 6].map((untilAtMs) => attempts.remember('known:x', untilAtMs)));
  expect(await attempts.isRemembered('known:x', 4)).toBe(true);
});

test('a user is stored with the texts by which a login at a provider finds it', async () => {
  const { id, createdAt, rev, ...rest } = USER;
  await users.insert(USER);
  const document = {
    _id: 'usr_1',
    ...rest,
    identityKeys: ['https://github.com\n1'],
    createdAt: date(1_000),
    rev: int(1),
  };
  expect(await stored('users', 'usr_1')).toEqual(document);
  expect(await users.find('usr_1')).toEqual(USER);
  expect(await users.findByIdentity({ issuer: 'https://github.com', subject: '1' })).toEqual(USER);
});

test('what a user has no more is gone from its document', async () => {
  const { passwordChangeId, mustChangePassword, ...rest } = USER;
  const changed = { ...rest, rev: 2, passwordHash: undefined, identities: [] };
  expect(await users.update(changed)).toBe(true);
  expect(await users.update(changed)).toBe(false);
  const { id, passwordHash, ...members } = changed;
  expect(await stored('users', 'usr_1')).toEqual({
    _id: 'usr_1',
    ...members,
    createdAt: date(1_000),
    rev: int(2),
  });
  expect(await users.find('usr_1')).toEqual(changed);
});

const ACCOUNT: Account = {
  id: 'acc_1',
  name: 'One',
  plan: 'pro',
  status: 'active',
  groups: ['eu'],
  terms: {
    limits: { requestsPerMinute: 5, requestsPerDay: null },
    models: ['model'],
    discount: -5,
  },
  importRef: 'ref',
  createdAt: 1_000,
  updatedAt: 2_000,
  rev: 1,
  outbox: [
    {
      id: 'evt_1',
      at: 1_000,
      kind: 'account.updated',
      plan: 'pro',
      previousPlan: 'pro',
      actorUserId: '',
    },
  ],
};

test('an account is stored with its events and with marks for as long as they wait', async () => {
  const { id, name, plan, status, groups, outbox } = ACCOUNT;
  await accounts.insert(ACCOUNT);
  const document = {
    _id: id,
    name,
    plan,
    status,
    groups,
    terms: {
      limits: { requestsPerMinute: int(5), requestsPerDay: null },
      models: ['model'],
      discount: int(-5),
    },
    importRef: 'ref',
    createdAt: date(1_000),
    updatedAt: date(2_000),
    rev: int(1),
    outbox: [{ ...outbox[0], at: int(1_000) }],
    outboxPending: true,
    gatewaysPending: true,
  };
  expect(await stored('accounts', id)).toEqual(document);
  expect(await stored('accountNames', 'one\nacc_1')).toEqual({ _id: 'one\nacc_1', accountId: id });
  expect(await accounts.find(id)).toEqual(ACCOUNT);
  const [pending] = await accounts.listPending({ after: undefined, limit: 5 });
  expect(pending?.read()).toEqual(ACCOUNT);

  const changed = { ...ACCOUNT, importRef: undefined, rev: 2, outbox: [] };
  expect(await accounts.update(changed)).toBe(true);
  const { importRef, outboxPending, ...kept } = document;
  expect(await stored('accounts', id)).toEqual({ ...kept, rev: int(2), outbox: [] });
  expect(await accounts.find(id)).toEqual(changed);
  expect(await accounts.listPending({ after: undefined, limit: 5 })).toEqual([]);
  const page = { after: undefined, limit: 5 };
  expect(await accounts.listUnnotified(page)).toEqual([{ id, rev: 2 }]);
  await accounts.markNotified({ id, rev: 2 });
  expect(await accounts.listUnnotified(page)).toEqual([]);
});

const KEY: ApiKey = {
  id: 'key_1',
  accountId: 'acc_1',
  settings: {
    name: 'One',
    scopes: ['models'],
    models: ['model'],
    pools: ['pool'],
    allowedIps: ['10.0.0.0/8'],
    expiresAt: 1_000,
    maxBudget: nano(5n),
    budgetPeriod: 'month',
    requestsPerMinute: 6,
    requestsPerDay: 7,
    concurrentRequests: 8,
    disabled: false,
    metadata: { team: 'one' },
  },
  preview: 'tg_1',
  publicId: 'public',
  digest: 'digest',
  previousDigest: 'previous',
  legacyDigest: 'legacy',
  disabledByOperator: true,
  previousExpiresAt: 2_000,
  createdBy: 'usr_1',
  createdAt: 3_000,
  lastUsedAt: 4_000,
  rotationCount: 1,
  lastRotatedAt: 5_000,
  lastRotationId: 'rotation',
  revokedAt: 6_000,
  expiryNotices: [7],
  rev: 1,
  outbox: [{ id: 'evt_1', at: 6_000, kind: 'key.revoked', name: 'One', actorUserId: '' }],
};

const KEY_DOCUMENT = {
  _id: 'key_1',
  accountId: 'acc_1',
  settings: {
    name: 'One',
    scopes: ['models'],
    models: ['model'],
    pools: ['pool'],
    allowedIps: ['10.0.0.0/8'],
    expiresAt: date(1_000),
    maxBudget: { $numberLong: '5' },
    budgetPeriod: 'month',
    requestsPerMinute: int(6),
    requestsPerDay: int(7),
    concurrentRequests: int(8),
    disabled: true,
    metadata: { team: 'one' },
  },
  preview: 'tg_1',
  publicId: 'public',
  digest: 'digest',
  previousDigest: 'previous',
  legacyDigest: 'legacy',
  disabledByOperator: true,
  disabledByAccount: false,
  previousExpiresAt: date(2_000),
  createdBy: 'usr_1',
  createdAt: date(3_000),
  lastUsedAt: date(4_000),
  rotationCount: int(1),
  lastRotatedAt: date(5_000),
  lastRotationId: 'rotation',
  revokedAt: date(6_000),
  purgeAt: date(6_000 + 90 * DAY_MS),
  expiryNotices: [int(7)],
  rev: int(1),
  outbox: [{ ...KEY.outbox[0], at: int(6_000) }],
  outboxPending: true,
  gatewaysPending: true,
};

test('a key is stored with the end of its record, and off as earlier versions know it', async () => {
  await keys.insert(KEY);
  expect(await stored('apiKeys', 'key_1')).toEqual(KEY_DOCUMENT);
  expect(await keys.find('key_1')).toEqual(KEY);
});

test('what a key has no more is gone, but neither its last use nor the mark for gateways', async () => {
  const { id, accountId, preview, createdAt } = KEY;
  const settings = {
    ...KEY.settings,
    expiresAt: undefined,
    maxBudget: undefined,
    requestsPerMinute: undefined,
    disabled: true,
  };
  const absent = {
    publicId: undefined,
    digest: undefined,
    previousDigest: undefined,
    legacyDigest: undefined,
    previousExpiresAt: undefined,
    createdBy: undefined,
    lastUsedAt: undefined,
    lastRotatedAt: undefined,
    lastRotationId: undefined,
    revokedAt: undefined,
  };
  const numbers = { rotationCount: 0, expiryNotices: [], rev: 2, outbox: [] };
  const kept = { id, accountId, settings, preview, createdAt, disabledByOperator: false };
  const changed = { ...kept, ...absent, ...numbers };
  expect(await keys.update(changed)).toBe(true);
  const { expiresAt, maxBudget, requestsPerMinute, ...keptSettings } = KEY_DOCUMENT.settings;
  expect(await stored('apiKeys', 'key_1')).toEqual({
    _id: id,
    accountId,
    settings: keptSettings,
    preview,
    disabledByOperator: false,
    disabledByAccount: true,
    createdAt: date(3_000),
    lastUsedAt: date(4_000),
    rotationCount: int(0),
    expiryNotices: [],
    rev: int(2),
    outbox: [],
    gatewaysPending: true,
  });
  expect(await keys.find('key_1')).toEqual({ ...changed, lastUsedAt: 4_000 });
});
