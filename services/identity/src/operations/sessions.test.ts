import { type AppError, DAY_MS, MINUTE_MS } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { User } from '../domain/user';
import {
  codeOf,
  type IdentityFixture,
  PASSWORD,
  startIdentityFixture,
} from '../testing/identity-fixture';
import { readAccessToken } from '../testing/read-access-token';

const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';

let identity: IdentityFixture;
let user: User;
let passwordHash: string;

beforeAll(async () => {
  // One hash for all tests: each costs as much as a real login.
  identity = await startIdentityFixture();
  passwordHash = await identity.adapters.hasher.hash(PASSWORD);
  await identity.close();
});

beforeEach(async () => {
  identity = await startIdentityFixture();
  ({ user } = await identity.makeUser({ email: 'ada@example.com', passwordHash }));
});

afterEach(() => identity.close());

const login = (password = PASSWORD, remoteAddress = HOME, email = 'ada@example.com') =>
  identity.operations.login({ email, password, remoteAddress });
const refresh = (token: string) => identity.operations.refreshSession(token);
const refreshByCookie = (token: string) => identity.operations.refreshSession(token, true);
const claimsOf = (token: string) =>
  readAccessToken(token, identity.adapters.keyring, identity.clock.now());

/** Makes password checks cost nothing, for tests that need very many of them. */
function withInstantHasher(): void {
  Object.assign(identity.adapters.hasher, {
    verify: async (hash: string | undefined, password: string) =>
      hash !== undefined && password === PASSWORD,
  });
}

describe('logging in', () => {
  test('email and password give an access token that says who came', async () => {
    const session = await login();
    expect(claimsOf(session.accessToken)).toEqual({
      userId: user.id,
      sessionId: expect.stringMatching(/^ses_/) as string,
      accountId: user.accountId,
      role: 'owner',
      operator: false,
    });
    expect(session.expiresInS).toBe(3600);
    expect(session.account.id).toBe(user.accountId);
  });

  test('blanks around the address and capitals in it do not matter', async () => {
    expect(await codeOf(login(PASSWORD, HOME, ' Ada@EXAMPLE.com '))).toBe('accepted');
    expect(await codeOf(login(PASSWORD, HOME, '\uff21da@example.com\u00a0'))).toBe('accepted');
  });

  test('people of an account that is gone are let in no more, which is no failure of ours', async () => {
    const { refreshToken } = await login();
    await identity.adapters.accounts.remove(user.accountId);
    expect(await codeOf(login())).toBe('UNAUTHORIZED');
    expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHORIZED');
  });

  test('every failure has the same answer and none tells which users exist', async () => {
    const { user: disabled } = await identity.makeUser({ status: 'disabled', passwordHash });
    const { user: outside } = await identity.makeUser();
    const failures = await Promise.all(
      [
        login('a wrong password'),
        login(PASSWORD, HOME, 'nobody@example.com'),
        login(PASSWORD, HOME, disabled.email),
        login(PASSWORD, HOME, outside.email),
        login(PASSWORD, HOME, 'no address'),
        login('x'.repeat(2000)),
        login(''),
      ].map((attempt) => attempt.catch((error: unknown) => error)),
    );
    for (const failure of failures) expect(failure).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(new Set(failures.map((failure) => (failure as AppError).publicMessage)).size).toBe(1);
  });

  test('an unknown email costs a password hash like a known one', async () => {
    const verified: (string | undefined)[] = [];
    const { verify } = identity.adapters.hasher;
    Object.assign(identity.adapters.hasher, {
      verify: (hash: string | undefined, password: string) => {
        verified.push(hash);
        return verify(hash, password);
      },
    });
    await codeOf(login('a wrong password'));
    await codeOf(login('a wrong password', HOME, 'nobody@example.com'));
    expect(verified).toEqual([passwordHash, undefined]);
  });
});

describe('guessing', () => {
  beforeEach(withInstantHasher);

  const guess = (times: number, address: string) =>
    Promise.all(Array.from({ length: times }, () => codeOf(login('a wrong password', address))));

  test('ten guesses from one address are answered, the next ones are not', async () => {
    expect(new Set(await guess(10, ELSEWHERE))).toEqual(new Set(['INVALID_CREDENTIALS']));
    const refusal = await login('a wrong password', ELSEWHERE).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect((refusal as AppError).retryAfterMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    expect(await codeOf(login(PASSWORD, ELSEWHERE))).toBe('RATE_LIMIT_EXCEEDED');
    await identity.clock.advance(15 * MINUTE_MS);
    expect(await codeOf(login(PASSWORD, ELSEWHERE))).toBe('accepted');
  });

  test('the owner logs in from elsewhere while an attacker is throttled', async () => {
    await guess(15, ELSEWHERE);
    expect(await codeOf(login())).toBe('accepted');
  });

  test('guesses spread over many addresses are bounded too', async () => {
    for (let host = 0; host < 10; host += 1) await guess(6, `203.0.113.${host}`);
    expect(await codeOf(login('a wrong password', '203.0.113.99'))).toBe('RATE_LIMIT_EXCEEDED');
  });

  test('an address that the owner used before is not locked out by that bound', async () => {
    await login();
    for (let host = 0; host < 10; host += 1) await guess(6, `203.0.113.${host}`);
    expect(await codeOf(login())).toBe('accepted');
    expect(await codeOf(login(PASSWORD, ELSEWHERE))).toBe('RATE_LIMIT_EXCEEDED');
  });

  test('unknown emails are throttled like known ones', async () => {
    const attempt = () => codeOf(login('a wrong password', ELSEWHERE, 'nobody@example.com'));
    for (let count = 0; count < 10; count += 1) await attempt();
    expect(await attempt()).toBe('RATE_LIMIT_EXCEEDED');
  });

  test('a login forgets the wrong attempts before it', async () => {
    await guess(9, HOME);
    await login();
    expect(new Set(await guess(10, HOME))).toEqual(new Set(['INVALID_CREDENTIALS']));
  });
});

describe('refreshing', () => {
  beforeEach(withInstantHasher);

  test('a refresh token works once and its successor keeps the session', async () => {
    const first = await login();
    const second = await refresh(first.refreshToken);
    expect(claimsOf(second.accessToken).sessionId).toBe(claimsOf(first.accessToken).sessionId);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await codeOf(refresh(second.refreshToken))).toBe('accepted');
  });

  test('a token that comes twice ends the whole session', async () => {
    const first = await login();
    const second = await refresh(first.refreshToken);
    expect(await codeOf(refresh(first.refreshToken))).toBe('UNAUTHORIZED');
    expect(await codeOf(refresh(second.refreshToken))).toBe('UNAUTHORIZED');
    expect(identity.logger.text()).toContain('used twice');
  });

  test('of two parallel uses at most one gets tokens, and the session ends', async () => {
    const { refreshToken } = await login();
    const outcomes = await Promise.allSettled([refresh(refreshToken), refresh(refreshToken)]);
    const won = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.refreshToken] : [],
    );
    expect(won.length).toBeLessThanOrEqual(1);
    for (const token of won) expect(await codeOf(refresh(token))).toBe('UNAUTHORIZED');
  });

  test('two tabs may send the token of their cookie at once, or one of them a moment later', async () => {
    const { refreshToken } = await login();
    const both = await Promise.all([refreshByCookie(refreshToken), refreshByCookie(refreshToken)]);
    await identity.clock.advance(29_000);
    const late = await refreshByCookie(refreshToken);
    for (const grant of [...both, late]) {
      expect(await codeOf(refreshByCookie(grant.refreshToken))).toBe('accepted');
    }
  });

  test('a token of a cookie that comes again later ends the session', async () => {
    const first = await login();
    const second = await refreshByCookie(first.refreshToken);
    await identity.clock.advance(31_000);
    expect(await codeOf(refreshByCookie(first.refreshToken))).toBe('UNAUTHORIZED');
    expect(await codeOf(refreshByCookie(second.refreshToken))).toBe('UNAUTHORIZED');
  });

  test('another session of the same user goes on', async () => {
    const stolen = await login();
    const other = await login();
    await refresh(stolen.refreshToken);
    await codeOf(refresh(stolen.refreshToken));
    expect(await codeOf(refresh(other.refreshToken))).toBe('accepted');
  });

  test('a session ends after thirty days however often it was refreshed', async () => {
    let { refreshToken } = await login();
    await identity.clock.advance(20 * DAY_MS);
    ({ refreshToken } = await refresh(refreshToken));
    await identity.clock.advance(10 * DAY_MS);
    expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHORIZED');
  });

  test.each(['', 'nonsense', `tg_refresh_${'A'.repeat(43)}`])(
    '%j refreshes nothing',
    async (text) => {
      expect(await codeOf(refresh(text))).toBe('UNAUTHORIZED');
    },
  );

  test('a disabled user gets no new tokens', async () => {
    const { refreshToken } = await login();
    await identity.adapters.users.update({ ...user, status: 'disabled', rev: user.rev + 1 });
    expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHORIZED');
  });
});

describe('leaving', () => {
  beforeEach(withInstantHasher);

  test('logging out ends this session and no other', async () => {
    const here = await login();
    const there = await login();
    const { sessionId } = claimsOf(here.accessToken);
    await identity.operations.logout({ userId: user.id, sessionId });
    expect(await codeOf(refresh(here.refreshToken))).toBe('UNAUTHORIZED');
    expect(await codeOf(refresh(there.refreshToken))).toBe('accepted');
  });

  test('nobody ends the session of another user', async () => {
    const { user: other } = await identity.makeUser();
    const session = await login();
    const { sessionId } = claimsOf(session.accessToken);
    await identity.operations.logout({ userId: other.id, sessionId });
    expect(await codeOf(refresh(session.refreshToken))).toBe('accepted');
  });

  test('logging out everywhere ends every session', async () => {
    const sessions = [await login(), await login()];
    await identity.operations.logout({ userId: user.id, sessionId: '' });
    for (const { refreshToken } of sessions) {
      expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHORIZED');
    }
  });
});

describe('changing the password', () => {
  const NEXT = 'another password for tests';
  const change = (currentPassword: string, newPassword: string) =>
    identity.operations.changePassword({
      userId: user.id,
      currentPassword,
      newPassword,
      idempotency: NO_KEY,
    });

  test('the new password works, the old one not, and every session ends', async () => {
    const { refreshToken } = await login();
    await change(PASSWORD, NEXT);
    expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHORIZED');
    expect(await codeOf(login(PASSWORD))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(login(NEXT))).toBe('accepted');
  });

  test('a wrong, a weak and an unchanged password are refused', async () => {
    expect(await codeOf(change('not the password', NEXT))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(change(PASSWORD, 'short'))).toBe('VALIDATION_ERROR');
    expect(await codeOf(change(PASSWORD, PASSWORD))).toBe('VALIDATION_ERROR');
    expect(await codeOf(login())).toBe('accepted');
  });

  test('a stolen access token cannot guess the password without end', async () => {
    withInstantHasher();
    for (let count = 0; count < 10; count += 1) await codeOf(change('a guess', NEXT));
    expect(await codeOf(change(PASSWORD, NEXT))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await codeOf(login())).toBe('accepted');
  });

  test('strangers who guess at the login do not keep the owner from changing it', async () => {
    withInstantHasher();
    for (let guess = 0; guess < 60; guess += 1) {
      await codeOf(login('a wrong password', `203.0.113.${guess}`));
    }
    expect(await codeOf(change(PASSWORD, NEXT))).toBe('accepted');
  });
});

test('the published signing keys verify what was signed', async () => {
  const { keys, issuer, audience } = await identity.operations.getSigningKeys();
  expect(keys).toHaveLength(1);
  expect(keys[0]?.publicKeyPem).toContain('BEGIN PUBLIC KEY');
  expect([issuer, audience]).toEqual(['tollgate', 'tollgate-api']);
});
