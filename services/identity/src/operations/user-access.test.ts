import { MINUTE_MS } from '@tollgate/core';
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
import { createIdentityOperations } from './operations';

const MISSING = 'usr_01JAAAAAAAAAAAAAAAAAAAAAAA';
const NEXT = 'the next password';

let identity: IdentityFixture;
let operator: Actor;
let user: User;
let actor: Actor;
let address = 0;

beforeEach(async () => {
  identity = await startIdentityFixture();
  operator = (await identity.makeUser({ role: 'operator' })).actor;
  const passwordHash = await identity.adapters.hasher.hash(PASSWORD);
  ({ user, actor } = await identity.makeUser({ passwordHash }));
});
afterEach(() => identity.close());

const operations = () => identity.operations;
const login = (password = PASSWORD) =>
  operations().login({ email: user.email, password, remoteAddress: '192.0.2.1' });
const start = (by = operator, userId = user.id) =>
  operations().startPasswordReset({ actor: by, userId });
function reset(code: string, newPassword = NEXT, remoteAddress = '') {
  address += 1;
  const from = remoteAddress === '' ? `198.51.100.${address}` : remoteAddress;
  return operations().resetPassword({ code, newPassword, remoteAddress: from });
}
const setStatus = (status: User['status'], by = operator, userId = user.id) =>
  operations().setUserStatus({ actor: by, userId, status });
/** The next check of a password has its outcome and waits with it. */
function holdNextCheck() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { hasher } = identity.adapters;
  const { verify } = hasher;
  const held: typeof verify = async (hash, password) => {
    Object.assign(hasher, { verify });
    const matches = await verify(hash, password);
    begun.resolve();
    await end.promise;
    return matches;
  };
  Object.assign(hasher, { verify: held });
  return { begun: begun.promise, end: () => end.resolve() };
}
const stored = async () => identity.adapters.users.find(user.id);
const codes = () => identity.mongo.connection.collection('identity_reset_codes');

describe('a code for a new password', () => {
  test('is made for an id or an email, as people tell theirs', async () => {
    const { code, user: found } = await start(operator, ` ${user.email.toUpperCase()}`);
    expect(found.id).toBe(user.id);
    expect((await reset(code)).id).toBe(user.id);
    expect(await codeOf(start(operator, 'nobody@accounts.test'))).toBe('NOT_FOUND');
  });

  test('sets it once, ends every session, and is kept as a digest only', async () => {
    const session = await login();
    const { code, expiresAtMs } = await start();
    expect(expiresAtMs - identity.clock.now()).toBe(15 * MINUTE_MS);
    expect(JSON.stringify(await codes().find({}).toArray())).not.toContain(code.slice(-20));
    expect((await reset(code)).id).toBe(user.id);
    expect(await codeOf(login())).toBe('INVALID_CREDENTIALS');
    await login(NEXT);
    expect(await codeOf(operations().refreshSession(session.refreshToken))).toBe('UNAUTHORIZED');
    expect(await codeOf(reset(code, 'a third password'))).toBe('INVALID_CREDENTIALS');
  });

  test('sets one password when it is presented several times at once', async () => {
    const { code } = await start();
    const attempts = ['first one', 'second one', 'third one'].map((word) =>
      codeOf(reset(code, `${word} of all`)),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'INVALID_CREDENTIALS')).toHaveLength(2);
  });

  test('is over after a quarter of an hour, and when another one was made', async () => {
    const first = await start();
    const second = await start();
    expect(await codeOf(reset(first.code))).toBe('INVALID_CREDENTIALS');
    await identity.clock.advance(15 * MINUTE_MS);
    expect(await codeOf(reset(second.code))).toBe('INVALID_CREDENTIALS');
    await login();
  });

  test('ends logins and changes that had begun with the password before', async () => {
    const attempts = [
      () => login(),
      () =>
        operations().changePassword({
          userId: user.id,
          currentPassword: PASSWORD,
          newPassword: 'of the thief',
          idempotency: NO_KEY,
        }),
    ];
    const { passwordHash } = user;
    for (const attempt of attempts) {
      const present = await stored();
      if (present === undefined) throw new Error('the user is gone');
      await identity.adapters.users.update({ ...present, passwordHash, rev: present.rev + 1 });
      const check = holdNextCheck();
      const outcome = codeOf(attempt());
      await check.begun;
      await reset((await start()).code);
      check.end();
      expect(await outcome).toBe('INVALID_CREDENTIALS');
      await login(NEXT);
    }
  });

  test('is over when the password is changed, and when its user is disabled', async () => {
    const before = await start();
    const change = { userId: user.id, currentPassword: PASSWORD, newPassword: NEXT };
    await operations().changePassword({ ...change, idempotency: NO_KEY });
    expect(await codeOf(reset(before.code, 'a third password'))).toBe('INVALID_CREDENTIALS');
    await identity.makeUser({ accountId: user.accountId });
    const { code } = await start();
    await setStatus('disabled');
    await setStatus('active');
    expect(await codeOf(reset(code, 'a third password'))).toBe('INVALID_CREDENTIALS');
    await login(NEXT);
  });

  test('stays when the password is refused', async () => {
    const { code } = await start();
    for (const weak of ['short', 'aaaaaaaaaaaa', user.email]) {
      expect(await codeOf(reset(code, weak))).toBe('VALIDATION_ERROR');
    }
    await reset(code);
  });

  test('lets nobody in who is disabled, and none that was made up', async () => {
    const { code } = await start();
    await identity.makeUser({ accountId: user.accountId });
    await setStatus('disabled');
    expect(await codeOf(reset(code))).toBe('INVALID_CREDENTIALS');
    for (const wrong of ['', 'x', `tg_reset_${'A'.repeat(43)}`]) {
      expect(await codeOf(reset(wrong))).toBe('INVALID_CREDENTIALS');
    }
  });

  test('that is made for a person who is disabled says so to both, and works once they are enabled', async () => {
    await identity.makeUser({ accountId: user.accountId });
    await setStatus('disabled');
    const { code, user: told } = await start();
    expect(told.status).toBe('disabled');
    await expect(reset(code)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
      publicMessage: expect.stringContaining('you are disabled') as string,
    });
    await setStatus('active');
    expect((await reset(code)).id).toBe(user.id);
  });

  test('cannot be guessed from one network without end', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await codeOf(reset('x', NEXT, '203.0.113.7'))).toBe('INVALID_CREDENTIALS');
    }
    const { code } = await start();
    expect(await codeOf(reset(code, NEXT, '203.0.113.7'))).toBe('RATE_LIMIT_EXCEEDED');
    await reset(code, NEXT, '203.0.113.8');
  });

  test('lets in whoever had guessed too often before, from where it was used', async () => {
    const from = async (remoteAddress: string, password: string) =>
      codeOf(operations().login({ email: user.email, password, remoteAddress }));
    for (let attempt = 0; attempt < 10; attempt += 1) await from('203.0.113.7', 'a wrong password');
    for (let host = 1; host < 6; host += 1) {
      for (let attempt = 0; attempt < 10; attempt += 1) await from(`198.18.0.${host}`, 'a guess');
    }
    expect(await from('203.0.113.7', PASSWORD)).toBe('RATE_LIMIT_EXCEEDED');
    await reset((await start()).code, NEXT, '203.0.113.7');
    expect(await from('203.0.113.7', NEXT)).toBe('accepted');
    expect(await from('198.18.0.1', NEXT)).toBe('RATE_LIMIT_EXCEEDED');
  });

  test('is made by operators alone, for somebody who is there', async () => {
    expect(await codeOf(start(actor))).toBe('FORBIDDEN');
    expect(await codeOf(start(operator, MISSING))).toBe('NOT_FOUND');
  });
});

describe('a first password', () => {
  test('is marked until its owner changes it', async () => {
    const email = 'first@example.com';
    const { user: added } = await operations().addMember({
      actor,
      email,
      password: PASSWORD,
      displayName: '',
      role: undefined,
      mustChangePassword: true,
      idempotency: NO_KEY,
    });
    expect(added.mustChangePassword).toBe(true);
    const change = { userId: added.id, currentPassword: PASSWORD, newPassword: NEXT };
    await operations().changePassword({ ...change, idempotency: NO_KEY });
    expect((await identity.adapters.users.find(added.id))?.mustChangePassword).toBeUndefined();
  });

  test('is over with a code too', async () => {
    await identity.adapters.users.update({ ...user, mustChangePassword: true, rev: user.rev + 1 });
    await reset((await start()).code);
    expect((await stored())?.mustChangePassword).toBeUndefined();
  });
});

describe('a person who is disabled', () => {
  test('is signed out and in no way gets in, until enabled again', async () => {
    await identity.makeUser({ accountId: user.accountId });
    const session = await login();
    const before = identity.adapters.principalLog.revision();
    expect((await setStatus('disabled')).status).toBe('disabled');
    expect(await codeOf(login())).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(operations().refreshSession(session.refreshToken))).toBe('UNAUTHORIZED');
    expect(identity.adapters.principalLog.revision()).toBeGreaterThan(before + 1n);
    await setStatus('disabled');
    await setStatus('active');
    await login();
    expect(await codeOf(operations().refreshSession(session.refreshToken))).toBe('UNAUTHORIZED');
  });

  test('has keys that act for nobody meanwhile', async () => {
    await identity.makeUser({ accountId: user.accountId });
    const settings = { name: 'theirs' } as Parameters<
      IdentityFixture['operations']['createApiKey']
    >[0]['settings'];
    const made = await operations().createApiKey({ actor, settings, idempotency: NO_KEY });
    await operations().verifyApiKey(made.secret);
    await setStatus('disabled');
    expect(await codeOf(operations().verifyApiKey(made.secret))).toBe('UNAUTHORIZED');
    await setStatus('active');
    await operations().verifyApiKey(made.secret);
  });

  test('is never the last owner, nor the operator who asks', async () => {
    expect(await codeOf(setStatus('disabled'))).toBe('CONFLICT');
    expect(await codeOf(setStatus('disabled', operator, operator.userId))).toBe('CONFLICT');
    expect(await codeOf(setStatus('disabled', actor))).toBe('FORBIDDEN');
    expect(await codeOf(setStatus('disabled', operator, MISSING))).toBe('NOT_FOUND');
  });
});

test('sessions are ended by operators, of one person and all of them', async () => {
  const sessions = [await login(), await login()];
  const end = (by: Actor, userId: string) => operations().endUserSessions({ actor: by, userId });
  expect(await codeOf(end(actor, user.id))).toBe('FORBIDDEN');
  expect(await codeOf(end(operator, MISSING))).toBe('NOT_FOUND');
  await end(operator, user.id);
  for (const { refreshToken } of sessions) {
    expect(await codeOf(operations().refreshSession(refreshToken))).toBe('UNAUTHORIZED');
  }
  await login();
});

describe('the role of a member', () => {
  const update = (
    by: Actor,
    userId: string,
    role: User['role'] | undefined,
    displayName?: string,
  ) => operations().updateMember({ actor: by, userId, role, displayName });

  test('is given by owners, and by admins below owner', async () => {
    const { accountId } = user;
    const admin = await identity.makeUser({ accountId, role: 'admin' });
    const member = await identity.makeUser({ accountId, role: 'member' });
    expect((await update(actor, member.user.id, 'admin')).role).toBe('admin');
    expect((await update(admin.actor, member.user.id, 'member')).role).toBe('member');
    expect(await codeOf(update(admin.actor, member.user.id, 'owner'))).toBe('FORBIDDEN');
    expect(await codeOf(update(admin.actor, user.id, 'member'))).toBe('FORBIDDEN');
    expect(await codeOf(update(admin.actor, user.id, undefined, 'Eve'))).toBe('FORBIDDEN');
    expect(await codeOf(update(member.actor, admin.user.id, 'member'))).toBe('FORBIDDEN');
    expect(await codeOf(update(actor, member.user.id, 'operator'))).toBe('FORBIDDEN');
    expect((await update(actor, member.user.id, undefined, 'Ada')).displayName).toBe('Ada');
    expect(await codeOf(update(actor, member.user.id, undefined, '\u0007'))).toBe(
      'VALIDATION_ERROR',
    );
  });

  test('stays with the last owner who can sign in', async () => {
    const other = await identity.makeUser({ accountId: user.accountId });
    expect((await update(actor, user.id, 'member')).role).toBe('member');
    expect(await codeOf(update(other.actor, other.user.id, 'admin'))).toBe('CONFLICT');
    expect((await identity.adapters.users.find(other.user.id))?.role).toBe('owner');
  });

  test('leaves an owner when all owners step down at once', async () => {
    const { accountId } = user;
    const others = await Promise.all([1, 2, 3].map(() => identity.makeUser({ accountId })));
    const owners = [{ user, actor }, ...others];
    await Promise.all(owners.map((one) => codeOf(update(one.actor, one.user.id, 'member'))));
    const left = await identity.adapters.users.listOwnersAndOperators(accountId, 10);
    expect(left.length).toBeGreaterThan(0);
    const leaving = left.map((one) =>
      codeOf(operations().removeMember({ actor: actorOf(one), userId: one.id })),
    );
    await Promise.all(leaving);
    expect(
      (await identity.adapters.users.listOwnersAndOperators(accountId, 10)).length,
    ).toBeGreaterThan(0);
  });

  test('comes back where no owner is left, with what was changed beside it and nothing else', async () => {
    const other = await identity.makeUser({ accountId: user.accountId });
    const { users, principalLog } = identity.adapters;
    // Right after this change the other owner steps down, and an operator disables this one.
    const racing = operationsAfter(user.id, async () => {
      await users.update({ ...other.user, role: 'member', rev: other.user.rev + 1 });
      await setStatus('disabled');
    });
    const before = principalLog.revision();
    const change = { role: 'member', displayName: 'Eve', email: 'eve@example.com' } as const;
    const changed = racing.updateMember({
      actor: operator,
      userId: user.id,
      anyAccount: true,
      ...change,
    });
    expect(await codeOf(changed)).toBe('CONFLICT');
    const { email, displayName, emailProven } = user;
    const kept = { role: 'owner', email, displayName, emailProven };
    expect(await stored()).toMatchObject({ ...kept, status: 'disabled' });
    // Two of being disabled, one of what came back.
    expect(principalLog.revision()).toBe(before + 3n);
  });

  test('comes back where no owner is left, also when the former email is taken by then', async () => {
    const other = await identity.makeUser({ accountId: user.accountId });
    const { users } = identity.adapters;
    const racing = operationsAfter(user.id, async () => {
      await users.update({ ...other.user, role: 'member', rev: other.user.rev + 1 });
      await identity.makeUser({ email: user.email });
    });
    const change = { role: 'member', displayName: 'Eve', email: 'eve@example.com' } as const;
    const changed = racing.updateMember({
      actor: operator,
      userId: user.id,
      anyAccount: true,
      ...change,
    });
    expect(await codeOf(changed)).toBe('CONFLICT');
    const { displayName } = user;
    expect(await stored()).toMatchObject({ role: 'owner', displayName, email: 'eve@example.com' });
  });

  test('is judged by the record that is changed, not by an earlier one', async () => {
    const { accountId } = user;
    const admin = await identity.makeUser({ accountId, role: 'admin' });
    for (const act of [
      (racing: ReturnType<typeof operations>, userId: string) =>
        racing.updateMember({ actor: admin.actor, userId, role: 'member', displayName: undefined }),
      (racing: ReturnType<typeof operations>, userId: string) =>
        racing.removeMember({ actor: admin.actor, userId }),
    ]) {
      const member = await identity.makeUser({ accountId, role: 'member' });
      const racing = operationsWhile(member.user, { ...member.user, role: 'owner' });
      expect(await codeOf(act(racing, member.user.id))).toBe('FORBIDDEN');
      const present = await identity.adapters.users.find(member.user.id);
      expect(present).toMatchObject({ role: 'owner', status: 'active' });
    }
  });

  test('of an operator, and of people elsewhere, is not theirs to change', async () => {
    const operatorOwner = await identity.makeUser({ accountId: operator.accountId });
    expect(await codeOf(update(operatorOwner.actor, operator.userId, 'member'))).toBe('FORBIDDEN');
    expect(await codeOf(update(operatorOwner.actor, operator.userId, undefined, 'Eve'))).toBe(
      'FORBIDDEN',
    );
    const remove = { actor: operatorOwner.actor, userId: operator.userId };
    expect(await codeOf(operations().removeMember(remove))).toBe('FORBIDDEN');
    expect((await update(operator, operator.userId, undefined, 'Ada')).displayName).toBe('Ada');
    for (const userId of [operator.userId, MISSING, 'x']) {
      expect(await codeOf(update(actor, userId, 'member'))).toBe('NOT_FOUND');
      expect(await codeOf(operations().getMember({ actor, userId }))).toBe('NOT_FOUND');
    }
    expect((await operations().getMember({ actor, userId: user.id })).email).toBe(user.email);
  });
});

describe('the last operator', () => {
  const leave = (actor: Actor) => operations().removeMember({ actor, userId: actor.userId });

  test('stays, whoever else owns the account', async () => {
    await identity.makeUser({ accountId: operator.accountId });
    expect(await codeOf(leave(operator))).toBe('CONFLICT');
    const { actor: second } = await identity.makeUser({ role: 'operator' });
    await identity.makeUser({ accountId: second.accountId });
    expect(await codeOf(leave(second))).toBe('accepted');
    expect(await codeOf(leave(operator))).toBe('CONFLICT');
    expect(await identity.adapters.users.find(operator.userId)).toMatchObject({ status: 'active' });
  });

  test('stays when all of them go at once', async () => {
    const { accountId } = operator;
    await identity.makeUser({ accountId });
    const { actor: second } = await identity.makeUser({ accountId, role: 'operator' });
    const disable = (by: Actor, userId: string) =>
      operations().setUserStatus({ actor: by, userId, status: 'disabled' });
    await Promise.all([
      codeOf(disable(operator, second.userId)),
      codeOf(disable(second, operator.userId)),
    ]);
    expect(await identity.adapters.users.listOperators(2)).not.toEqual([]);
  });
});

/** The operations, in whose course something happens right after the user was first written. */
function operationsAfter(userId: string, happens: () => Promise<void>) {
  const { users } = identity.adapters;
  let hasHappened = false;
  const update: typeof users.update = async (next) => {
    const isWritten = await users.update(next);
    if (next.id === userId && !hasHappened) {
      hasHappened = true;
      await happens();
    }
    return isWritten;
  };
  return createIdentityOperations({ ...identity.adapters, users: { ...users, update } });
}

/** The operations, in whose course somebody else changes the user right after it was first read. */
function operationsWhile(user: User, changed: User) {
  const { users } = identity.adapters;
  let isChanged = false;
  const find = async (id: string) => {
    const found = await users.find(id);
    if (id === user.id && !isChanged) {
      isChanged = true;
      await users.update({ ...changed, rev: user.rev + 1 });
    }
    return found;
  };
  return createIdentityOperations({ ...identity.adapters, users: { ...users, find } });
}

test('an operator changes the role of a member of any account, and nobody else does', async () => {
  const change = (by: Actor, userId: string, role: 'admin' | 'member' | 'owner') =>
    operations().updateMember({
      actor: by,
      userId,
      role,
      displayName: undefined,
      anyAccount: true,
    });
  const { user: member } = await identity.makeUser({ accountId: user.accountId, role: 'member' });
  expect(await change(operator, member.id, 'owner')).toMatchObject({ role: 'owner' });
  expect(await change(operator, user.id, 'member')).toMatchObject({ role: 'member' });
  // The account keeps an owner who can sign in.
  expect(await codeOf(change(operator, member.id, 'admin'))).toBe('CONFLICT');
  expect(await codeOf(change(actor, member.id, 'admin'))).toBe('FORBIDDEN');
  expect(await codeOf(change(operator, MISSING, 'admin'))).toBe('NOT_FOUND');
});

test('an email that somebody else gets at the same moment is refused like one that is taken', async () => {
  const email = 'wanted@example.com';
  const { users } = identity.adapters;
  const { update } = users;
  // Both found it free before either wrote.
  jest.spyOn(users, 'update').mockImplementationOnce(async (next) => {
    await identity.makeUser({ email });
    return update(next);
  });
  const changed = operations().updateMember({
    actor: operator,
    userId: user.id,
    role: undefined,
    displayName: undefined,
    email,
    anyAccount: true,
  });
  await expect(changed).rejects.toMatchObject({ code: 'CONFLICT', param: 'email' });
  expect((await stored())?.email).toBe(user.email);
});

test('a mistyped email is answered with the nearest, and one with spaces around it is right', async () => {
  expect((await start(operator, ` ${user.email} `)).user.id).toBe(user.id);
  for (const typed of [
    `${user.email}x`,
    `x${user.email}`,
    `${user.email.slice(0, 1)}x${user.email.slice(1)}`,
  ]) {
    await expect(start(operator, typed)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      publicMessage: `There is no user of this email. Did you mean ${user.email}?`,
    });
  }
  await expect(start(operator, 'nobody.at.all@elsewhere.test')).rejects.toMatchObject({
    publicMessage: 'There is no user of this email.',
  });
});
