import { AppError } from '@tollgate/core';
import { sha256Hex } from '../domain/key-digest';
import type { Dependencies } from './dependencies';
import { openSession, type SessionGrant } from './open-session';

/** A browser's one-time code against a session. The code works once and for a minute. */
export function createExchangeOAuthCode(
  deps: Pick<
    Dependencies,
    'clock' | 'random' | 'accounts' | 'users' | 'sessions' | 'refreshTokens' | 'tokens' | 'oauth'
  >,
) {
  return async (code: string): Promise<SessionGrant> => {
    const taken = await deps.oauth.takeCode(sha256Hex(code));
    if (taken === undefined || taken.expiresAt <= deps.clock.now()) {
      throw new AppError('UNAUTHORIZED');
    }
    const user = await deps.users.find(taken.userId);
    if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
    return openSession(deps, user);
  };
}
