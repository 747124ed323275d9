import { AppError } from '@tollgate/core';
import { isOver, refreshDigest } from '../domain/session';
import type { Dependencies } from './dependencies';
import { createEndSessions } from './end-sessions';
import { grantTokens, type SessionGrant } from './open-session';

/**
 * Exchanges a refresh token for new tokens, once. A token that comes a second time has been copied:
 * the whole session ends, for the thief and for the owner, who logs in again.
 */
export function createRefreshSession(
  deps: Pick<
    Dependencies,
    | 'clock'
    | 'logger'
    | 'random'
    | 'accounts'
    | 'users'
    | 'sessions'
    | 'refreshTokens'
    | 'tokens'
    | 'principals'
  >,
) {
  const { clock, logger, users, sessions, refreshTokens } = deps;
  const endSessions = createEndSessions(deps);
  return async (refreshToken: string): Promise<SessionGrant> => {
    const now = clock.now();
    const digest = refreshDigest(refreshToken);
    const token = digest === undefined ? undefined : await refreshTokens.find(digest);
    if (token === undefined || token.expiresAt <= now) throw new AppError('UNAUTHORIZED');
    if (token.usedAt !== undefined || !(await refreshTokens.use(token.digest, now))) {
      await endSessions(token.userId, token.sessionId);
      logger.warn({ sessionId: token.sessionId }, 'a refresh token was used twice: session ended');
      throw new AppError('UNAUTHORIZED');
    }
    const [session, user] = await Promise.all([
      sessions.find(token.sessionId),
      users.find(token.userId),
    ]);
    if (session === undefined || isOver(session, now) || user?.status !== 'active') {
      throw new AppError('UNAUTHORIZED');
    }
    return grantTokens(deps, session, user);
  };
}
