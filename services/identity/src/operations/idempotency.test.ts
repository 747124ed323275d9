import type { Idempotency } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import { describeIdempotentOperations, type IdempotentOperation } from '@tollgate/testkit';
import type { User } from '../domain/user';
import {
  codeOf,
  type IdentityFixture,
  PASSWORD,
  ROTATED_PEPPERS,
  startIdentityFixture,
} from '../testing/identity-fixture';
import { createIdentityOperations } from './operations';

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

const register = (idempotency: Idempotency, email = EMAIL, operations = identity.operations) =>
  operations.createUser({
    email,
    password: PASSWORD,
    displayName: '',
    actor: undefined,
    accountId: '',
    role: undefined,
    registration: true,
    idempotency,
  });

type Owner = Awaited<ReturnType<typeof makeOwner>>;
/** Of two accounts, by the words before the keys of the contract. */
let owners: Readonly<Record<string, Owner>>;

async function makeOwner() {
  const { user, actor } = await identity.makeUser({ passwordHash: `hash of ${PASSWORD}` });
  const creation = { actor, settings: { name: 'x' }, idempotency: NO_KEY };
  const { key } = await identity.operations.createApiKey(creation);
  return { userId: user.id, actor, keyId: key.id };
}

async function totalOf(count: (owner: Owner) => Promise<number>): Promise<number> {
  const counts = await Promise.all(Object.values(owners).map(count));
  return counts.reduce((total, each) => total + each, 0);
}

type Operations = IdentityFixture['operations'];
type Stores = Readonly<Record<string, Record<string, () => Promise<unknown>>>>;

/** An operation, and the first write of its effect. */
function operationOf(
  [store, write]: readonly ['accounts' | 'keys' | 'users', string],
  run: (by: Operations, owner: Owner, once: Idempotency) => ReturnType<IdempotentOperation['run']>,
  effects: IdempotentOperation['effects'],
): IdempotentOperation {
  return {
    async run({ key, bodyDigest }, interrupted) {
      const [word = '', inAccount = ''] = key.split('/');
      const { adapters, operations } = identity;
      const owner = owners[word] as Owner;
      const runBy = (by: Operations) => run(by, owner, { key: inAccount, bodyDigest });
      if (interrupted === undefined) return runBy(operations);
      if (interrupted === 'after its effect') return whileNotesAreLost(() => runBy(operations));
      const writes = (adapters as unknown as Stores)[store] ?? {};
      const broken = { ...writes, [write]: interrupted(writes[write] ?? killed) };
      return runBy(createIdentityOperations({ ...adapters, [store]: broken }));
    },
    effects,
    runningMs: RUNNING_MS,
  };
}

const OF_AN_ACCOUNT = {
  'creation of a key': operationOf(
    ['keys', 'insert'],
    async ({ createApiKey }, { actor }, idempotency) => {
      const made = await createApiKey({ actor, settings: { name: 'x' }, idempotency });
      return { answer: made.key, replayed: made.replayed };
    },
    () => totalOf(({ actor }) => identity.adapters.keys.countPresent(actor.accountId, 100)),
  ),
  'rotation of a key': operationOf(
    ['keys', 'update'],
    async ({ rotateApiKey }, { actor, keyId }, idempotency) => {
      const made = await rotateApiKey({ actor, keyId, gracePeriodS: 60, idempotency });
      return { answer: made.key.rotationCount, replayed: made.replayed };
    },
    () =>
      totalOf(async ({ keyId }) => (await identity.adapters.keys.find(keyId))?.rotationCount ?? 0),
  ),
  'change of a password': operationOf(
    ['users', 'update'],
    async ({ changePassword }, { userId }, idempotency) => {
      const passwords = { currentPassword: PASSWORD, newPassword: NEXT };
      const { replayed } = await changePassword({ userId, ...passwords, idempotency });
      return { answer: undefined, replayed };
    },
    () => totalOf(async ({ userId }) => (await identity.adapters.users.find(userId))?.rev ?? 0),
  ),
};
const REGISTRATION = operationOf(
  ['accounts', 'insert'],
  async (operations, { userId }, idempotency) => {
    const made = await register(idempotency, `by-${userId}@example.com`, operations);
    return { answer: [made.user, made.account.id], replayed: made.replayed };
  },
  () => identity.mongo.connection.collection('identity_accounts').countDocuments(),
);

describe('with a key', () => {
  const clock = { advance: (durationMs: number) => identity.clock.advance(durationMs) };

  beforeEach(async () => {
    owners = { acc_1: await makeOwner(), acc_2: await makeOwner() };
  });

  describeIdempotentOperations(OF_AN_ACCOUNT, clock);
  // Its key is one of an address, which no other operation has.
  describeIdempotentOperations({ registration: REGISTRATION }, clock);
});

describe('a registration', () => {
  test('is answered the same by a replica that has another pepper first', async () => {
    const first = await register(keyed('a'));
    const { mongodbUri } = identity.config;
    const before = identity;
    identity = await startWith({ MONGODB_URI: mongodbUri, TOLLGATE_KEY_PEPPERS: ROTATED_PEPPERS });
    expect(await register(keyed('a'))).toEqual({ ...first, replayed: true });
    expect(await codeOf(register(keyed('b')))).toBe('IDEMPOTENCY_MISMATCH');
    await before.close();
  });

  test('under another key is one of a taken address', async () => {
    await register(keyed('a'));
    expect(await codeOf(register({ ...keyed('a'), key: 'order-2' }))).toBe('CONFLICT');
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
    await change(keyed('a'));
    expect(await change(keyed('a'))).toEqual({ replayed: true });
    expect(hashes).toBe(1);
    expect(await codeOf(change(NO_KEY))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(login(NEXT))).toBe('accepted');
  });

  test('of a colleague under the same key is a mismatch', async () => {
    await change(keyed('a'));
    const colleague = await identity.makeUser({
      accountId: user.accountId,
      passwordHash: `hash of ${PASSWORD}`,
    });
    const { id } = colleague.user;
    expect(await codeOf(change(keyed('a'), PASSWORD, NEXT, id))).toBe('IDEMPOTENCY_MISMATCH');
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

  test('cannot be repeated to guess the passwords without end', async () => {
    await change(keyed('a'));
    for (let guess = 1; guess <= 10; guess += 1) {
      expect(await codeOf(change(keyed(`guess ${guess}`)))).toBe('IDEMPOTENCY_MISMATCH');
    }
    expect(await codeOf(change(keyed('a')))).toBe('RATE_LIMIT_EXCEEDED');
  });
});
