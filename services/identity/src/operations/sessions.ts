import { AppError } from '@tollgate/core';
import { type Account, hasErasureBegun } from '../domain/account';
import {
  createRefreshToken,
  createSession,
  isSessionOver,
  refreshDigest,
  type Session,
} from '../domain/session';
import { emailKeyOf, isPasswordTooLong, normaliseEmail, type User } from '../domain/user';
import type { Dependencies } from './dependencies';
import { createLoginThrottle } from './login-throttle';

/** Logins with a password, and what follows from one: refresh and logout. */
export function createSessionOperations(deps: Dependencies) {
  return {
    login: (input: LoginInput) => login(deps, input),
    refreshSession: (refreshToken: string, inCookie?: boolean) =>
      refreshSession(deps, refreshToken, inCookie),
    logout: (input: LogoutInput) => logout(deps, input),
  };
}

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/** The answer to a login. */
export interface SessionGrant {
  readonly accessToken: string;
  readonly expiresInS: number;
  readonly refreshToken: string;
  readonly user: User;
  readonly account: Account;
}

/**
 * Email and password against a session. An unknown email, a wrong password, a disabled user and a
 * user without a password take the same steps and get the same answer.
 */
async function login(deps: Dependencies, input: LoginInput): Promise<SessionGrant> {
  const { password, remoteAddress } = input;
  // However it is typed: the password proves whose it is.
  const email = normaliseEmail(emailKeyOf(input.email));
  // No record has such an email or such a password, and hashing it would cost.
  if (email === undefined || isPasswordTooLong(password)) throw new AppError('INVALID_CREDENTIALS');
  const throttle = createLoginThrottle(deps);
  await throttle.admit(email, remoteAddress);
  const user = await deps.users.findByEmail(email);
  const matches = await deps.hasher.verify(user?.passwordHash, password);
  if (user === undefined || !matches || user.status !== 'active') {
    throw new AppError('INVALID_CREDENTIALS');
  }
  await throttle.succeeded(email, remoteAddress);
  return openSession(deps, user);
}

type GrantDependencies = Pick<
  Dependencies,
  'clock' | 'random' | 'accounts' | 'users' | 'sessions' | 'refreshTokens' | 'tokens'
>;

/**
 * Starts a new session for a user whose identity is proven. Proving takes its time: whoever set
 * another password or locked the user out meanwhile ended the sessions that were there, and this one
 * was not. So the user is read again once it is there.
 */
export async function openSession(deps: GrantDependencies, user: User): Promise<SessionGrant> {
  const now = deps.clock.now();
  const session = createSession(user.id, now);
  await deps.sessions.insert(session);
  const present = await deps.users.find(user.id);
  if (present?.status !== 'active' || present.passwordHash !== user.passwordHash) {
    await deps.sessions.end(session.id, user.id, now);
    throw new AppError('INVALID_CREDENTIALS');
  }
  return grantTokens(deps, session, user);
}

/** New tokens for a session that is not over. */
async function grantTokens(
  deps: GrantDependencies,
  session: Session,
  user: User,
): Promise<SessionGrant> {
  const account = await deps.accounts.find(user.accountId);
  if (account === undefined) {
    // A restore of accounts alone leaves people behind; their keys lead nowhere either.
    const internalMessage = `account ${user.accountId} of user ${user.id} is missing`;
    throw new AppError('UNAUTHORIZED', { internalMessage });
  }
  if (hasErasureBegun(account)) throw new AppError('UNAUTHORIZED');
  const { text: refreshToken, token } = createRefreshToken(session, deps.random);
  await deps.refreshTokens.insert(token);
  const { token: accessToken, expiresInS } = deps.tokens.issue({
    userId: user.id,
    sessionId: session.id,
    accountId: user.accountId,
    role: user.role,
    operator: user.role === 'operator',
  });
  return { accessToken, expiresInS, refreshToken, user, account };
}

/**
 * How long a token of a cookie still works after its use. Tabs that are opened together send the
 * same one, and a page that is loaded again before the answer is there never hears of the next.
 */
const COOKIE_REUSE_MS = 30_000;

/**
 * Exchanges a refresh token for new tokens, once. A token that comes a second time has been copied:
 * the whole session ends, for the thief and for the owner, who logs in again.
 */
async function refreshSession(
  deps: Dependencies,
  refreshToken: string,
  inCookie = false,
): Promise<SessionGrant> {
  const { clock, logger, users, sessions, refreshTokens } = deps;
  const now = clock.now();
  const digest = refreshDigest(refreshToken);
  const token = digest === undefined ? undefined : await refreshTokens.find(digest);
  if (token === undefined || token.expiresAtMs <= now) throw new AppError('UNAUTHORIZED');
  const isFirstUse = token.usedAtMs === undefined && (await refreshTokens.use(token.digest, now));
  // Without a time it was used while we looked.
  const isOtherTab = inCookie && now - (token.usedAtMs ?? now) < COOKIE_REUSE_MS;
  if (!isFirstUse && !isOtherTab) {
    await endSessions(deps, token.userId, token.sessionId);
    logger.warn({ sessionId: token.sessionId }, 'a refresh token was used twice: session ended');
    throw new AppError('UNAUTHORIZED');
  }
  const [session, user] = await Promise.all([
    sessions.find(token.sessionId),
    users.find(token.userId),
  ]);
  if (session === undefined || isSessionOver(session, now) || user?.status !== 'active') {
    throw new AppError('UNAUTHORIZED');
  }
  return grantTokens(deps, session, user);
}

/** Who logs out: the bearer of an access token, or of a refresh token. */
export type LogoutInput =
  | {
      readonly userId: string;
      /** Empty: all of them. */
      readonly sessionId: string;
    }
  | { readonly refreshToken: string; readonly allSessions: boolean };

/** Ends one session of the user, or all of them. A refresh token that was used names its own too. */
async function logout(deps: Dependencies, input: LogoutInput): Promise<void> {
  if ('userId' in input) {
    const { userId, sessionId } = input;
    return endSessions(deps, userId, sessionId === '' ? undefined : sessionId);
  }
  const digest = refreshDigest(input.refreshToken);
  const token = digest === undefined ? undefined : await deps.refreshTokens.find(digest);
  if (token === undefined) throw new AppError('UNAUTHORIZED');
  return endSessions(deps, token.userId, input.allSessions ? undefined : token.sessionId);
}

/**
 * Ends one session of the user, or all of them when none is named. When this resolves, every
 * connected gateway is being told to ask again about the user's sessions: also about one that had
 * ended before, so that repeating an interrupted call notifies of it.
 */
export async function endSessions(
  { clock, sessions, principalLog }: Pick<Dependencies, 'clock' | 'sessions' | 'principalLog'>,
  userId: string,
  sessionId?: string,
): Promise<void> {
  const now = clock.now();
  if (sessionId === undefined) await sessions.endAll(userId, now);
  else await sessions.end(sessionId, userId, now);
  await principalLog.append([userId]);
}
