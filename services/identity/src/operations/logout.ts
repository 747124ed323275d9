import type { Dependencies } from './dependencies';

/** Ends one session of the user, or all of them when none is named. */
export function createLogout(deps: Pick<Dependencies, 'clock' | 'sessions'>) {
  return async (input: { readonly userId: string; readonly sessionId: string }): Promise<void> => {
    const { userId, sessionId } = input;
    const now = deps.clock.now();
    if (sessionId === '') await deps.sessions.endAll(userId, now);
    else await deps.sessions.end(sessionId, userId, now);
  };
}
