import { ApiError, createApiClient, type TokenSource } from '../api/client';
import type { Session } from '../api/types';

/** A session as the tab keeps it. */
export interface KeptSession extends Session {
  readonly expires_at_ms: number;
}

/** The one place of the tab where its session is. */
export interface SessionKeeper {
  read(): KeptSession | undefined;
  /** Undefined forgets it. */
  write(session: KeptSession | undefined): void;
}

/** An access token that ends sooner than this is renewed before it is shown. */
const RENEW_BEFORE_MS = 60_000;

/** Calls that need no session. */
export const anonymousApi = createApiClient({
  current: () => Promise.resolve(undefined),
  replace: () => Promise.resolve(undefined),
});

export function keep(session: Session): KeptSession {
  return { ...session, expires_at_ms: Date.now() + session.expires_in * 1000 };
}

/**
 * Access tokens of the kept session. A refresh token may be used once, so that all who need another
 * access token at the same time wait for one renewal.
 */
export function createSessionTokens(keeper: SessionKeeper): TokenSource {
  let renewal: Promise<string | undefined> | undefined;

  const renew = (): Promise<string | undefined> => {
    renewal ??= renewOnce(keeper).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    async current() {
      const session = keeper.read();
      if (session === undefined) return undefined;
      const isFresh = session.expires_at_ms - Date.now() > RENEW_BEFORE_MS;
      return isFresh ? session.access_token : renew();
    },
    async replace(refused) {
      const session = keeper.read();
      // Somebody else has renewed it since.
      if (session !== undefined && session.access_token !== refused) return session.access_token;
      return renew();
    },
  };
}

async function renewOnce(keeper: SessionKeeper): Promise<string | undefined> {
  const refresh_token = keeper.read()?.refresh_token;
  if (refresh_token === undefined) return undefined;
  try {
    const session = await anonymousApi.post<Session>('/v1/users/refresh', { refresh_token });
    keeper.write(keep(session));
    return session.access_token;
  } catch (error) {
    // Only the API ends a session: a connection that failed may work a moment later.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    keeper.write(undefined);
    return undefined;
  }
}
