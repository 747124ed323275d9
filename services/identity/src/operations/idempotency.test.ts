import { DAY_MS, type Idempotency } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { User } from '../domain/user';
import {
  codeOf,
  type IdentityFixture,
  PASSWORD,
  ROTATED_PEPPERS,
  startIdentityFixture,
} from '../testing/identity-fixture';

const NEXT = 'another password for tests';
const EMAIL = 'ada@example.com';
const RUNNING_MS = 30_000;
const keyed = (bodyDigest: string): Idempotency => ({ key: 'order-1', bodyDigest });
const killed = () => Promise.reject(new Error('gone'));

let identity: IdentityFixture;
let hashes: number;

beforeEach(async () => {
  identity = await startWith({});
  hashes = 0;
});

afterEach(() => identity.close());

async function startWith(overrides: Record<string, string>): Promise<IdentityFixture> {
  const started = await startIdentityFixture({ TOLLGATE_REGISTRATION: 'open', ...overrides });
  // A hash costs as much as a login, and nothing here is about its strength.
  Object.assign(started.adapters.hasher, {
    hash: async (password: string) => {
      hashes += 1;
      return `hash of ${password}`;
    },
    verify: async (hash: string | undefined, password: string) => hash === `hash of ${password}`,
  });
  return started;
}

/** The process ends before it can note what came of its request. */
async function whileNotesAreLost<Result>(run: () => Promise<Result>): Promise<Result> {
  const { idempotencyClaims: claims } = identity.adapters;
  const { answer } = claims;
  Object.assign(claims, { answer: killed });
  try {
    return await run();
  } finally {
    Object.assign(claims, { answer });
  }
}

describe('a registration', () => {
  const register = (idempotency: Idempotency, email = EMAIL, password = PASSWORD) =>
    identity.operations.createUser({
      email,
      password,
      displayName: '',
      actor: undefined,
      accountId: '',
      role: undefined,
      registration: true,
      idempotency,
    });

  test('that is repeated with its key is answered the same', async () => {
    const first = await register(keyed('a'));
    await identity.clock.advance(DAY_MS - 1);
    expect(await register(keyed('a'))).toEqual({ ...first, replayed: true });
    expect(hashes).toBe(1);
  });

  test('is answered the same by a replica that has another pepper first', async () => {
    const first = await register(keyed('a'));
    const { mongodbUri } = identity.config;
    const before = identity;
    identity = await startWith({ MONGODB_URI: mongodbUri, TOLLGATE_KEY_PEPPERS: ROTATED_PEPPERS });
    expect(await register(keyed('a'))).toEqual({ ...first, replayed: true });
    expect(await codeOf(register(keyed('b')))).toBe('IDEMPOTENCY_MISMATCH');
    await before.close();
  });

  test('that was killed is finished by the next one, once', async () => {
    const first = await whileNotesAreLost(() => register(keyed('a')));
    expect(await codeOf(register(keyed('a')))).toBe('CONFLICT');
    await identity.clock.advance(RUNNING_MS);
    // Its event is published by now.
    await identity.adapters.relay.idle();
    const account = { ...first.account, outbox: [] };
    expect(await register(keyed('a'))).toEqual({ ...first, account, replayed: true });
  });

  test('of another address never meets the key, whoever used it before', async () => {
    const first = await register(keyed('a'));
    const other = await register(keyed('b'), 'grace@example.com');
    expect(other.replayed).toBe(false);
    expect(other.account.id).not.toBe(first.account.id);
  });

  test('with the key and another body is a mismatch, without the key a taken address', async () => {
    await register(keyed('a'));
    const again = (idempotency: Idempotency) => register(idempotency, EMAIL, NEXT);
    expect(await codeOf(again(keyed('b')))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await codeOf(again({ ...keyed('b'), key: 'order-2' }))).toBe('CONFLICT');
  });

  test('cannot be repeated to guess its password without end', async () => {
    await register(keyed('a'));
    for (let guess = 2; guess <= 10; guess += 1) {
      expect(await codeOf(register(keyed(`guess ${guess}`)))).toBe('IDEMPOTENCY_MISMATCH');
    }
    expect(await codeOf(register(keyed('a')))).toBe('RATE_LIMIT_EXCEEDED');
    const login = { email: EMAIL, password: PASSWORD, remoteAddress: '192.0.2.1' };
    expect(await codeOf(identity.operations.login(login))).toBe('accepted');
  });

  test('leaves no digest that its password could be guessed by without the pepper', async () => {
    const { digester } = identity.adapters;
    await register(keyed('digest-of-a-body'));
    const [claim] = await identity.mongo.connection
      .collection('identity_idempotency')
      .find({})
      .toArray();
    const [digest] = digester.derive('idempotency', 'create-user\ndigest-of-a-body');
    expect(claim?.digest).toBe(digest);
    expect(JSON.stringify(claim)).not.toMatch(/digest-of-a-body|hash of|password for tests/);
  });
});

describe('a change of the password', () => {
  let user: User;
  const change = (
    idempotency: Idempotency,
    currentPassword = PASSWORD,
    newPassword = NEXT,
    userId = user.id,
  ) => identity.operations.changePassword({ userId, currentPassword, newPassword, idempotency });
  const login = (password: string) =>
    identity.operations.login({ email: EMAIL, password, remoteAddress: '192.0.2.1' });

  beforeEach(async () => {
    ({ user } = await identity.makeUser({ email: EMAIL, passwordHash: `hash of ${PASSWORD}` }));
  });

  test('that is repeated with its key succeeds again, without it it is a wrong password', async () => {
    expect(await change(keyed('a'))).toEqual({ replayed: false });
    expect(await change(keyed('a'))).toEqual({ replayed: true });
    expect(hashes).toBe(1);
    expect(await codeOf(change(NO_KEY))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(login(NEXT))).toBe('accepted');
  });

  test('with another body, or of a colleague, under the same key is a mismatch', async () => {
    await change(keyed('a'));
    const other = 'yet another password';
    expect(await codeOf(change(keyed('b'), NEXT, other))).toBe('IDEMPOTENCY_MISMATCH');
    const colleague = await identity.makeUser({
      accountId: user.accountId,
      passwordHash: `hash of ${PASSWORD}`,
    });
    const { id } = colleague.user;
    expect(await codeOf(change(keyed('a'), PASSWORD, NEXT, id))).toBe('IDEMPOTENCY_MISMATCH');
    const stranger = await identity.makeUser({ passwordHash: `hash of ${PASSWORD}` });
    expect(await change(keyed('a'), PASSWORD, NEXT, stranger.user.id)).toEqual({ replayed: false });
  });

  test('that was refused leaves its key to a corrected one', async () => {
    expect(await codeOf(change(keyed('a'), PASSWORD, 'short'))).toBe('VALIDATION_ERROR');
    expect(await codeOf(change(keyed('b'), 'not the password'))).toBe('INVALID_CREDENTIALS');
    expect(await change(keyed('c'))).toEqual({ replayed: false });
  });

  test('that was killed after its write is found, and its sessions end after all', async () => {
    const { refreshToken } = await login(PASSWORD);
    const { sessions } = identity.adapters;
    const { endAll } = sessions;
    Object.assign(sessions, { endAll: killed });
    await expect(whileNotesAreLost(() => change(keyed('a')))).rejects.toThrow('gone');
    Object.assign(sessions, { endAll });
    expect(await change(keyed('a'))).toEqual({ replayed: true });
    expect(hashes).toBe(1);
    expect(await codeOf(identity.operations.refreshSession(refreshToken))).toBe('UNAUTHORIZED');
  });

  test('that was killed with its process is running for a while, then found', async () => {
    await whileNotesAreLost(() => change(keyed('a')));
    expect(await codeOf(change(keyed('a')))).toBe('CONFLICT');
    await identity.clock.advance(RUNNING_MS);
    expect(await change(keyed('a'))).toEqual({ replayed: true });
    expect(hashes).toBe(1);
  });

  test('that was killed before its write is made by the next request', async () => {
    const { users } = identity.adapters;
    const { update } = users;
    Object.assign(users, { update: killed });
    await expect(change(keyed('a'))).rejects.toThrow('gone');
    Object.assign(users, { update });
    expect(await change(keyed('a'))).toEqual({ replayed: false });
    expect(await codeOf(login(NEXT))).toBe('accepted');
  });

  test('cannot be repeated to guess the passwords without end', async () => {
    await change(keyed('a'));
    for (let guess = 1; guess <= 10; guess += 1) {
      expect(await codeOf(change(keyed(`guess ${guess}`)))).toBe('IDEMPOTENCY_MISMATCH');
    }
    expect(await codeOf(change(keyed('a')))).toBe('RATE_LIMIT_EXCEEDED');
  });
});
