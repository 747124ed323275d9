import { AppError } from '@tollgate/core';
import type { Account } from '../domain/account';
import { createRefreshToken, createSession, type Session } from '../domain/session';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

/** What a login answers with. */
export interface SessionGrant {
  readonly accessToken: string;
  readonly expiresInS: number;
  readonly refreshToken: string;
  readonly user: User;
  readonly account: Account;
}

type SessionDependencies = Pick<
  Dependencies,
  'clock' | 'random' | 'accounts' | 'sessions' | 'refreshTokens' | 'tokens'
>;

/** Starts a new session for a user who has proven who it is. */
export async function openSession(deps: SessionDependencies, user: User): Promise<SessionGrant> {
  const session = createSession(user.id, deps.clock.now());
  await deps.sessions.insert(session);
  return grantTokens(deps, session, user);
}

/** New tokens for a session that stands. */
export async function grantTokens(
  deps: SessionDependencies,
  session: Session,
  user: User,
): Promise<SessionGrant> {
  const account = await deps.accounts.find(user.accountId);
  if (account === undefined) {
    const internalMessage = `account ${user.accountId} of user ${user.id} is missing`;
    throw new AppError('INTERNAL_ERROR', { internalMessage });
  }
  const { text, token } = createRefreshToken(session, deps.random);
  await deps.refreshTokens.insert(token);
  const access = deps.tokens.issue({
    userId: user.id,
    sessionId: session.id,
    accountId: user.accountId,
    role: user.role,
    operator: user.role === 'operator',
  });
  const { token: accessToken, expiresInS } = access;
  return { accessToken, expiresInS, refreshToken: text, user, account };
}
