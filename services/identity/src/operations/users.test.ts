import { AppError } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { Actor } from '../domain/actor';
import type { User } from '../domain/user';
import {
  actorOf,
  codeOf,
  type IdentityFixture,
  PASSWORD,
  startIdentityFixture,
} from '../testing/identity-fixture';

const MISSING_USER = 'usr_01JAAAAAAAAAAAAAAAAAAAAAAA';
const MISSING_ACCOUNT = 'acc_01JAAAAAAAAAAAAAAAAAAAAAAA';
const PAGE = { limit: 0, cursor: '' };

let identity: IdentityFixture;
let operator: Actor;
let owner: Actor;

beforeEach(async () => {
  identity = await startIdentityFixture();
  operator = (await identity.makeUser({ role: 'operator' })).actor;
  owner = (await identity.makeUser()).actor;
});

afterEach(() => identity.close());

const newUser = (email: string) => ({ email, password: PASSWORD, displayName: '' });
const login = (email: string) =>
  identity.operations.login({ email, password: PASSWORD, remoteAddress: '192.0.2.1' });
const createAccount = (actor: Actor, email: string, idempotency = NO_KEY) =>
  identity.operations.createAccount({
    actor,
    name: 'Acme',
    plan: 'smart',
    owner: newUser(email),
    idempotency,
  });
const KEYED = { key: 'order-1', bodyDigest: 'a' };
const createUser = (fields: Partial<Parameters<typeof identity.operations.createUser>[0]>) =>
  identity.operations.createUser({
    ...newUser('new@example.com'),
    actor: undefined,
    accountId: '',
    role: undefined,
    registration: false,
    idempotency: NO_KEY,
    ...fields,
  });
const addMember = (actor: Actor, email: string, role?: User['role']) =>
  identity.operations.addMember({ actor, ...newUser(email), role, idempotency: NO_KEY });
const update = (actor: Actor, accountId: string, change: { plan?: string; name?: string }) =>
  identity.operations.updateAccount({
    actor,
    accountId,
    name: change.name,
    plan: change.plan,
    status: undefined,
  });

describe('accounts', () => {
  test('an operator opens an account and its owner logs in', async () => {
    const { account, owner: made, replayed } = await createAccount(operator, 'Boss@acme.example');
    expect(account).toMatchObject({ name: 'Acme', plan: 'smart', status: 'active' });
    expect(made).toMatchObject({ email: 'boss@acme.example', displayName: 'boss', role: 'owner' });
    expect(replayed).toBe(false);
    const session = await login('boss@acme.example');
    expect(session.account.id).toBe(account.id);
  });

  test('subscribers hear of an account as soon as it has its owner', async () => {
    const { account } = await createAccount(operator, 'boss@acme.example');
    const { account: second } = await createUser({ actor: operator });
    const created = await identity.eventsOf('account.created', 2);
    const ids = created.map(({ data }) => 'account_id' in data && data.account_id);
    expect(ids).toEqual([account.id, second.id]);
    const waiting = await identity.adapters.accounts.listPending({ after: undefined, limit: 10 });
    expect(waiting.map(({ id }) => id).sort()).toEqual(
      [operator.accountId, owner.accountId].sort(),
    );
  });

  test('a taken address opens no account and leaves none behind', async () => {
    await createAccount(operator, 'boss@acme.example');
    const page = { limit: 0, cursor: '' };
    const before = await identity.operations.listAccounts({ actor: operator, page });
    expect(await codeOf(createAccount(operator, 'boss@acme.example'))).toBe('CONFLICT');
    const after = await identity.operations.listAccounts({ actor: operator, page });
    expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
  });

  test('accounts are found by how their name begins, in its order, over pages', async () => {
    const made: string[] = [];
    for (const [index, name] of ['Blue', 'blueprint', 'Green', 'BLUE', 'Blu'].entries()) {
      const opening = { actor: operator, plan: '', idempotency: NO_KEY };
      const { account } = await identity.operations.createAccount({
        ...opening,
        name,
        owner: newUser(`owner-${index}@example.com`),
      });
      made.push(account.id);
    }
    const search = (name: string, cursor = '') =>
      identity.operations.listAccounts({ actor: operator, name, page: { limit: 2, cursor } });
    const first = await search('blue');
    const second = await search('blue', first.nextCursor);
    expect(first.items.map(({ id }) => id)).toEqual([made[0], made[3]]);
    expect(second.items.map(({ name }) => name)).toEqual(['blueprint']);
    expect(second.nextCursor).toBe('');
    await update(operator, made[0] ?? '', { name: 'Red' });
    expect((await search('blue')).items.map(({ id }) => id)).toEqual([made[3], made[1]]);
    expect((await search('red')).items.map(({ id }) => id)).toEqual([made[0]]);
  });

  test('an account is found by the whole email of one of its people', async () => {
    const { account } = await createAccount(operator, 'boss@acme.example');
    const search = (email: string, name = '') =>
      identity.operations.listAccounts({ actor: operator, page: PAGE, email, name });
    expect((await search('Boss@acme.example')).items.map(({ id }) => id)).toEqual([account.id]);
    expect((await search('boss@acme.example', 'acm')).items).toHaveLength(1);
    expect((await search('boss@acme.example', 'blue')).items).toEqual([]);
    expect((await search('boss@acme')).items).toEqual([]);
  });

  test('a fault of the owner is named where it stands in the request', async () => {
    const refusal = (owner: object) =>
      identity.operations.createAccount({
        actor: operator,
        name: 'Acme',
        plan: '',
        idempotency: NO_KEY,
        owner: { ...newUser('boss@acme.example'), ...owner },
      });
    await expect(refusal({ email: 'nobody' })).rejects.toMatchObject({ param: 'owner.email' });
    await expect(refusal({ password: 'aaaaaaaa' })).rejects.toMatchObject({
      param: 'owner.password',
    });
  });

  test('a repeated request opens the account once', async () => {
    const first = await createAccount(operator, 'boss@acme.example', KEYED);
    const again = await createAccount(operator, 'boss@acme.example', KEYED);
    expect(again).toEqual({ ...first, replayed: true });
    expect(
      JSON.stringify(
        await identity.mongo.connection.collection('identity_idempotency').find({}).toArray(),
      ),
    ).not.toContain('argon2');
  });

  test('a new plan reaches gateways and subscribers, a new name gateways only', async () => {
    const { principalLog } = identity.adapters;
    const before = principalLog.revision();
    await update(operator, owner.accountId, { plan: 'enterprise' });
    await update(operator, owner.accountId, { name: 'Renamed' });
    await update(operator, owner.accountId, { name: 'Renamed' });
    expect(principalLog.revision()).toBe(before + 2n);
    const [changed] = await identity.eventsOf('plan.changed', 1);
    expect(changed?.data).toEqual({
      account_id: owner.accountId,
      plan: 'enterprise',
      previous_plan: 'free',
    });
    expect(identity.events.filter(({ type }) => type !== 'account.created')).toHaveLength(1);
    expect((await identity.operations.getAccount(owner.accountId)).name).toBe('Renamed');
  });

  test('an operator cannot lock the own account', async () => {
    const change = { name: undefined, plan: undefined, status: 'suspended' as const };
    const { accountId } = operator;
    expect(
      await codeOf(identity.operations.updateAccount({ actor: operator, accountId, ...change })),
    ).toBe('CONFLICT');
  });

  test('a plan that is no id and an unknown account are refused', async () => {
    expect(await codeOf(update(operator, owner.accountId, { plan: 'No Plan' }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await codeOf(update(operator, MISSING_ACCOUNT, { plan: 'free' }))).toBe('NOT_FOUND');
    expect(await codeOf(identity.operations.getAccount(MISSING_ACCOUNT))).toBe('NOT_FOUND');
  });
});

describe('who may administer', () => {
  test.each(['owner', 'admin', 'member'] as const)(
    'an account’s %s is no operator',
    async (role) => {
      const { actor } = await identity.makeUser({ accountId: owner.accountId, role });
      const attempts = [
        createAccount(actor, 'x@acme.example'),
        update(actor, owner.accountId, { plan: 'enterprise' }),
        identity.operations.listAccounts({ actor, page: PAGE }),
        identity.operations.listUsers({ actor, accountId: '', page: PAGE }),
        createUser({ actor }),
      ];
      for (const attempt of attempts) expect(await codeOf(attempt)).toBe('FORBIDDEN');
    },
  );

  test('an operator’s key administers only with the admin scope', async () => {
    const byKey = { ...operator, keyId: 'key_1', scopes: ['keys'] };
    const list = (actor: Actor) => identity.operations.listAccounts({ actor, page: PAGE });
    expect(await codeOf(list(byKey))).toBe('FORBIDDEN');
    expect(await codeOf(list({ ...byKey, scopes: ['admin'] }))).toBe('accepted');
  });
});

describe('users', () => {
  test('registration is closed unless configuration opens it', async () => {
    expect(await codeOf(createUser({ registration: true }))).toBe('FORBIDDEN');
    expect(await codeOf(createUser({}))).toBe('UNAUTHORIZED');
  });

  test('where registration is open a person gets an own account on the free plan', async () => {
    await identity.close();
    identity = await startIdentityFixture({ TOLLGATE_REGISTRATION: 'open' });
    const fields = { registration: true, role: 'operator', accountId: MISSING_ACCOUNT } as const;
    const { user, account } = await createUser(fields);
    expect(user).toMatchObject({ role: 'owner', emailProven: false });
    expect(account).toMatchObject({ id: user.accountId, plan: 'free' });
    expect(await codeOf(createUser({ registration: true }))).toBe('CONFLICT');
  });

  test('an operator adds people to an account, or operators beside the own', async () => {
    const { accountId } = owner;
    const joined = await createUser({ actor: operator, accountId });
    expect(joined.user).toMatchObject({ accountId, role: 'member' });
    const second = { actor: operator, role: 'operator', ...newUser('second@example.com') } as const;
    const { user } = await createUser(second);
    expect(user.role).toBe('operator');
    expect(user.accountId).not.toBe(operator.accountId);
    const nowhere = { actor: operator, accountId: MISSING_ACCOUNT, email: 'third@example.com' };
    expect(await codeOf(createUser(nowhere))).toBe('NOT_FOUND');
    const found = await identity.operations.listUsers({ actor: operator, accountId, page: PAGE });
    expect(found.items.map(({ id }) => id)).toEqual([joined.user.id, owner.userId]);
  });

  test.each(['admin', 'member'] as const)('nobody is %s of a new account', async (role) => {
    await expect(createUser({ actor: operator, role })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      param: 'role',
    });
    const { accountId } = owner;
    const { user } = await createUser({ actor: operator, accountId, role });
    expect(user).toMatchObject({ accountId, role });
  });

  test('users are found by how their email begins, in its order, over pages', async () => {
    const { accountId } = owner;
    for (const name of ['bea', 'beat', 'abel', 'Beatrice', 'bet']) {
      await createUser({ actor: operator, accountId, email: `${name}@find.example` });
    }
    const search = (email: string, cursor = '') =>
      identity.operations.listUsers({
        actor: operator,
        accountId: '',
        email,
        page: { limit: 2, cursor },
      });
    const emailsOf = (page: { readonly items: readonly User[] }) =>
      page.items.map(({ email }) => email);
    const first = await search(' BEA');
    expect(emailsOf(first)).toEqual(['bea@find.example', 'beat@find.example']);
    const second = await search(' BEA', first.nextCursor);
    expect(emailsOf(second)).toEqual(['beatrice@find.example']);
    expect(second.nextCursor).toBe('');
    expect(emailsOf(await search('beat@find.example'))).toEqual(['beat@find.example']);
    expect(emailsOf(await search('.*'))).toEqual([]);
    const gone = Buffer.from(MISSING_USER).toString('base64url');
    await expect(search('bea', gone)).rejects.toMatchObject({ param: 'cursor' });
    const elsewhere = { actor: operator, accountId: operator.accountId, email: 'bea', page: PAGE };
    expect((await identity.operations.listUsers(elsewhere)).items).toEqual([]);
  });

  test('a user is answered with its account, an unknown one is not found', async () => {
    const found = await identity.operations.getUser({ userId: owner.userId });
    expect(found.account.id).toBe(owner.accountId);
    expect(await codeOf(identity.operations.getUser({ userId: MISSING_USER }))).toBe('NOT_FOUND');
    expect(await codeOf(identity.operations.getUser({ userId: '{"$ne":null}' }))).toBe('NOT_FOUND');
  });
});

describe('members', () => {
  test.each([
    ['owner', 'owner', 'accepted'],
    ['owner', 'operator', 'FORBIDDEN'],
    ['admin', 'admin', 'accepted'],
    ['admin', 'owner', 'FORBIDDEN'],
    ['member', 'member', 'FORBIDDEN'],
  ] as const)('an %s adding an %s: %s', async (role, added, expected) => {
    const { actor } = await identity.makeUser({ accountId: owner.accountId, role });
    expect(await codeOf(addMember(actor, 'new@example.com', added))).toBe(expected);
  });

  test('each account sees its own people only', async () => {
    const { user } = await addMember(owner, 'new@example.com');
    const stranger = (await identity.makeUser()).actor;
    const members = await identity.operations.listMembers({ actor: owner, page: PAGE });
    expect(members.items.map(({ id }) => id)).toEqual([user.id, owner.userId]);
    const others = await identity.operations.listMembers({ actor: stranger, page: PAGE });
    expect(others.items.map(({ id }) => id)).toEqual([stranger.userId]);
  });

  test('a person of another account answers exactly as one that does not exist', async () => {
    const stranger = (await identity.makeUser()).actor;
    const refusalOf = (userId: string) =>
      identity.operations.removeMember({ actor: owner, userId }).catch((error: unknown) => error);
    const foreign = (await refusalOf(stranger.userId)) as AppError;
    const missing = (await refusalOf(MISSING_USER)) as AppError;
    expect(foreign).toBeInstanceOf(AppError);
    expect([foreign.code, foreign.publicMessage]).toEqual([missing.code, missing.publicMessage]);
    expect(foreign.code).toBe('NOT_FOUND');
  });

  test('who is removed loses sessions and keys at once, and the address is free again', async () => {
    const { user } = await addMember(owner, 'new@example.com');
    const session = await login('new@example.com');
    const { key, secret } = await identity.operations.createApiKey({
      actor: actorOf(user),
      settings: { name: 'k' },
      idempotency: NO_KEY,
    });
    const before = identity.adapters.principalLog.revision();
    const notified: string[] = [];
    const { principalLog } = identity.adapters;
    const unsubscribe = principalLog.subscribe(before, ({ changes }) => notified.push(...changes));
    await identity.operations.removeMember({ actor: owner, userId: user.id });
    unsubscribe();
    expect(notified).toEqual([key.id, owner.accountId]);
    expect(await codeOf(identity.operations.verifyApiKey(secret))).toBe('UNAUTHORIZED');
    expect(await codeOf(identity.operations.refreshSession(session.refreshToken))).toBe(
      'UNAUTHORIZED',
    );
    expect(await codeOf(login('new@example.com'))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(addMember(owner, 'new@example.com'))).toBe('accepted');
  });

  test('who is removed while gateways cannot be told is there to be removed again', async () => {
    const { user } = await addMember(owner, 'new@example.com');
    const remove = () =>
      codeOf(identity.operations.removeMember({ actor: owner, userId: user.id }));
    const { principalLog } = identity.adapters;
    const away = jest.spyOn(principalLog, 'append');
    away.mockRejectedValue(new AppError('DATABASE_ERROR'));
    expect(await remove()).toBe('DATABASE_ERROR');
    away.mockRestore();
    const before = principalLog.revision();
    expect(await remove()).toBe('accepted');
    expect(principalLog.revision()).toBe(before + 1n);
    expect(await remove()).toBe('NOT_FOUND');
  });

  test('who is removed twice at once makes room for one person and the own keys', async () => {
    const { user } = await addMember(owner, 'new@example.com');
    await addMember(owner, 'second@example.com');
    for (const actor of [actorOf(user), owner, owner]) {
      await identity.operations.createApiKey({
        actor,
        settings: { name: 'k' },
        idempotency: NO_KEY,
      });
    }
    const { keys } = identity.adapters;
    const list = keys.list.bind(keys);
    const both = Promise.withResolvers<void>();
    let asked = 0;
    // Both have seen the key before one of them revokes it.
    jest.spyOn(keys, 'list').mockImplementation(async (filter) => {
      const found = await list(filter);
      asked += 1;
      if (asked === 2) both.resolve();
      await both.promise;
      return found;
    });
    const remove = () =>
      codeOf(identity.operations.removeMember({ actor: owner, userId: user.id }));
    expect(await Promise.all([remove(), remove()])).toEqual(['accepted', 'accepted']);
    const quotas = await identity.mongo.connection
      .collection<{ _id: string; taken: number }>('identity_quotas')
      .find({})
      .toArray();
    expect(Object.fromEntries(quotas.map(({ _id, taken }) => [_id, taken]))).toEqual({
      [`users ${owner.accountId}`]: 2,
      [`api-keys ${owner.accountId}`]: 2,
    });
  });

  test('the last owner stays, and admins remove no owner', async () => {
    const remove = (actor: Actor, userId: string) =>
      codeOf(identity.operations.removeMember({ actor, userId }));
    expect(await remove(owner, owner.userId)).toBe('CONFLICT');
    const last = { actor: owner, userId: owner.userId };
    await expect(identity.operations.removeMember(last)).rejects.toMatchObject({
      publicMessage: expect.stringContaining('an operator may suspend the account') as unknown,
    });
    const { user: second } = await addMember(owner, 'second@example.com', 'owner');
    const { actor: admin } = await identity.makeUser({ accountId: owner.accountId, role: 'admin' });
    expect(await remove(admin, second.id)).toBe('FORBIDDEN');
    expect(await remove(owner, second.id)).toBe('accepted');
  });
});

test('how many people an account has is bounded when many are added at once', async () => {
  await identity.close();
  identity = await startIdentityFixture({ TOLLGATE_IDENTITY_USERS_PER_ACCOUNT_MAX: '3' });
  owner = (await identity.makeUser()).actor;
  operator = (await identity.makeUser({ role: 'operator' })).actor;
  Object.assign(identity.adapters.hasher, { hash: async () => 'no hash' });
  const adding = Array.from({ length: 10 }, (_, index) => {
    const email = `person${index}@example.com`;
    if (index % 2 === 0) return addMember(owner, email);
    const { accountId } = owner;
    return createUser({ ...newUser(email), actor: operator, accountId });
  });
  const outcomes = await Promise.all(adding.map(codeOf));
  // The owner is the first of the three.
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(2);
  expect(new Set(outcomes)).toEqual(new Set(['accepted', 'CONFLICT']));
  const members = await identity.operations.listMembers({ actor: owner, page: PAGE });
  const member = members.items.find(({ role }) => role === 'member');
  await identity.operations.removeMember({ actor: owner, userId: String(member?.id) });
  expect(await codeOf(addMember(owner, 'late@example.com'))).toBe('accepted');
  expect(await codeOf(addMember(owner, 'later@example.com'))).toBe('CONFLICT');
});
