import type { Dependencies } from './dependencies';

/**
 * Ends one session of the user, or all of them when none is named. When this resolves, every
 * connected gateway is being told to ask again about the user's sessions. It tells of a session
 * that had ended before as well, so that repeating an interrupted call leaves nothing untold.
 */
export function createEndSessions(
  deps: Pick<Dependencies, 'clock' | 'sessions' | 'principals'>,
): (userId: string, sessionId?: string) => Promise<void> {
  const { clock, sessions, principals } = deps;
  return async (userId, sessionId) => {
    const now = clock.now();
    if (sessionId === undefined) await sessions.endAll(userId, now);
    else await sessions.end(sessionId, userId, now);
    await principals.append([userId]);
  };
}
