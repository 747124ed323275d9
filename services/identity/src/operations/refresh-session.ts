import { AppError } from '@tollgate/core';
import { refreshDigest } from '../domain/session';
import type { Dependencies } from './dependencies';
import { grantTokens, type SessionGrant } from './open-session';

/**
 * Exchanges a refresh token for new tokens, once. A token that comes a second time has been copied:
 * the whole session ends, for the thief and for the owner, who logs in again.
 */
export function createRefreshSession(
  deps: Pick<
    Dependencies,
    'clock' | 'logger' | 'random' | 'accounts' | 'users' | 'sessions' | 'refreshTokens' | 'tokens'
  >,
) {
  const { clock, logger, users, sessions, refreshTokens } = deps;
  return async (refreshToken: string): Promise<SessionGrant> => {
    const now = clock.now();
    const digest = refreshDigest(refreshToken);
    const token = digest === undefined ? undefined : await refreshTokens.find(digest);
    if (token === undefined || token.expiresAt <= now) throw new AppError('UNAUTHORIZED');
    if (token.usedAt !== undefined || !(await refreshTokens.use(token.digest, now))) {
      await sessions.end(token.sessionId, token.userId, now);
      logger.warn({ sessionId: token.sessionId }, 'a refresh token was used twice: session ended');
      throw new AppError('UNAUTHORIZED');
    }
    const [session, user] = await Promise.all([
      sessions.find(token.sessionId),
      users.find(token.userId),
    ]);
    const over = session === undefined || session.endedAt !== undefined || session.expiresAt <= now;
    if (over || user?.status !== 'active') throw new AppError('UNAUTHORIZED');
    return grantTokens(deps, session, user);
  };
}
