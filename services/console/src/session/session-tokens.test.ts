import { ApiError } from '../api/api-error';
import type { Session } from '../api/schemas';
import { createSessionTokens, type KeptSession, type Refresh } from './session-tokens';

const HOUR_MS = 3_600_000;

function session(name: string, endsInMs: number): KeptSession {
  return {
    access_token: `access-${name}`,
    refresh_token: `refresh-${name}`,
    expires_in: 3600,
    expires_at_ms: Date.now() + endsInMs,
  } as KeptSession;
}

function tokensOf(kept: KeptSession | undefined, refresh: Refresh) {
  let current = kept;
  const tokens = createSessionTokens(
    {
      read: () => current,
      write: (next) => {
        current = next;
      },
    },
    refresh,
  );
  return { tokens, kept: () => current };
}

const renewed = (name: string) => Promise.resolve(session(name, HOUR_MS) as Session);
const unused: Refresh = () => Promise.reject(new Error('nothing should be refreshed'));

test('a fresh token is shown as it is; nobody signed in shows none', async () => {
  expect(await tokensOf(session('a', HOUR_MS), unused).tokens.current()).toBe('access-a');
  expect(await tokensOf(undefined, unused).tokens.current()).toBeUndefined();
});

test('all who need another token at the same time wait for one renewal', async () => {
  const asked: string[] = [];
  const { tokens } = tokensOf(session('a', 1), (refreshToken) => {
    asked.push(refreshToken);
    return renewed('b');
  });
  expect(await Promise.all([tokens.current(), tokens.current(), tokens.current()])).toEqual([
    'access-b',
    'access-b',
    'access-b',
  ]);
  expect(asked).toEqual(['refresh-a']);
});

test('a refusal of a token that was replaced since does not renew again', async () => {
  const { tokens } = tokensOf(session('b', HOUR_MS), unused);
  expect(await tokens.replace('access-a')).toBe('access-b');
});

test('only the API ends a session: a connection that failed may work a moment later', async () => {
  const fail = (status: number) => () =>
    Promise.reject(new ApiError({ status, code: 'X', message: 'x' }));
  const away = tokensOf(session('a', 1), fail(0));
  await expect(away.tokens.current()).rejects.toThrow();
  expect(away.kept()?.refresh_token).toBe('refresh-a');
  const ended = tokensOf(session('a', 1), fail(401));
  expect(await ended.tokens.current()).toBeUndefined();
  expect(ended.kept()).toBeUndefined();
});
