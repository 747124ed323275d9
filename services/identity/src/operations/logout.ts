import { AppError } from '@tollgate/core';
import { refreshDigest } from '../domain/session';
import type { Dependencies } from './dependencies';
import { createEndSessions } from './end-sessions';

/** Who logs out: the bearer of an access token, or of a refresh token. */
export type LogoutInput =
  | { readonly userId: string /** Empty: all of them. */; readonly sessionId: string }
  | { readonly refreshToken: string; readonly allSessions: boolean };

/** Ends one session of the user, or all of them. A refresh token that was used names its own too. */
export function createLogout(
  deps: Pick<Dependencies, 'clock' | 'sessions' | 'refreshTokens' | 'principals'>,
) {
  const endSessions = createEndSessions(deps);
  return async (input: LogoutInput): Promise<void> => {
    if ('userId' in input) {
      const { userId, sessionId } = input;
      return endSessions(userId, sessionId === '' ? undefined : sessionId);
    }
    const digest = refreshDigest(input.refreshToken);
    const token = digest === undefined ? undefined : await deps.refreshTokens.find(digest);
    if (token === undefined) throw new AppError('UNAUTHORIZED');
    return endSessions(token.userId, input.allSessions ? undefined : token.sessionId);
  };
}
