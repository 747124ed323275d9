import { ApiError } from '../api/api-error';
import type { Session } from '../api/schemas';
import {
  createSessionTokens,
  type KeptSession,
  keep,
  type Refresh,
  type SessionKeeper,
} from './session-tokens';

const HOUR_S = 3_600;

function session(name: string): Session {
  return { access_token: `access-${name}`, expires_in: HOUR_S } as Session;
}

const fresh = (name: string) => keep(session(name));
const nearlyOver = (name: string): KeptSession => ({ ...fresh(name), expires_at_ms: 1 });

function tokensOf(kept: ReturnType<SessionKeeper['read']>, refresh: Refresh) {
  let current = kept;
  const keeper: SessionKeeper = {
    read: () => current,
    write: (next) => {
      current = next;
    },
  };
  return { tokens: createSessionTokens(keeper, refresh), keeper };
}

const unused: Refresh = () => Promise.reject(new Error('nothing should be refreshed'));

test('a fresh token is shown as it is; nobody signed in shows none', async () => {
  expect(await tokensOf(fresh('a'), unused).tokens.current()).toBe('access-a');
  expect(await tokensOf(undefined, unused).tokens.current()).toBeUndefined();
});

test('a page that begins has its first token by the cookie', async () => {
  const { tokens, keeper } = tokensOf('starting', () => Promise.resolve(session('b')));
  expect(await tokens.current()).toBe('access-b');
  expect(keeper.read()).toMatchObject({ access_token: 'access-b' });
});

test('all who need another token at the same time wait for one renewal', async () => {
  let renewals = 0;
  const { tokens } = tokensOf(nearlyOver('a'), () => {
    renewals += 1;
    return Promise.resolve(session('b'));
  });
  expect(await Promise.all([tokens.current(), tokens.current(), tokens.current()])).toEqual([
    'access-b',
    'access-b',
    'access-b',
  ]);
  expect(renewals).toBe(1);
});

test('a refusal of a token that was replaced since does not renew again', async () => {
  const { tokens } = tokensOf(fresh('b'), unused);
  expect(await tokens.replace('access-a')).toBe('access-b');
});

test('a renewal that ends after the log-out signs nobody in', async () => {
  const { tokens, keeper } = tokensOf(nearlyOver('a'), async () => {
    keeper.write(undefined);
    return session('b');
  });
  expect(await tokens.current()).toBeUndefined();
  expect(keeper.read()).toBeUndefined();
});

test.each([
  ['worked', () => Promise.resolve(session('b'))],
  ['was refused', () => Promise.reject(new ApiError({ status: 401, code: 'X', message: 'x' }))],
])('a renewal that %s after another login leaves the new session as it is', async (_, end) => {
  const { tokens, keeper } = tokensOf(nearlyOver('a'), () => {
    keeper.write(fresh('of-the-login'));
    return end();
  });
  expect(await tokens.current()).toBe('access-of-the-login');
  expect(keeper.read()).toMatchObject({ access_token: 'access-of-the-login' });
});

test('only the API ends a session: a connection that failed may work a moment later', async () => {
  const fail = (status: number) => () =>
    Promise.reject(new ApiError({ status, code: 'X', message: 'x' }));
  const away = tokensOf(nearlyOver('a'), fail(0));
  await expect(away.tokens.current()).rejects.toThrow();
  expect(away.keeper.read()).toMatchObject({ access_token: 'access-a' });
  const ended = tokensOf(nearlyOver('a'), fail(401));
  expect(await ended.tokens.current()).toBeUndefined();
  expect(ended.keeper.read()).toBeUndefined();
});
