import { ApiError } from '../api/api-error';
import { createApiClient, type TokenSource, unwrap } from '../api/client';
import type { Session } from '../api/schemas';

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

/** Exchanges a refresh token, which is good for one use, for the next session. */
export type Refresh = (refreshToken: string) => Promise<Session>;

const refreshByApi: Refresh = (refresh_token) =>
  unwrap(anonymousApi.POST('/v1/users/refresh', { body: { refresh_token } }));

/**
 * Access tokens of the kept session. A refresh token may be used once, so that all who need another
 * access token at the same time wait for one renewal.
 */
export function createSessionTokens(
  keeper: SessionKeeper,
  refresh: Refresh = refreshByApi,
): TokenSource {
  let renewal: Promise<string | undefined> | undefined;

  const renew = (): Promise<string | undefined> => {
    renewal ??= renewOnce(keeper, refresh).finally(() => {
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

async function renewOnce(keeper: SessionKeeper, refresh: Refresh): Promise<string | undefined> {
  const refreshToken = keeper.read()?.refresh_token;
  if (refreshToken === undefined) return undefined;
  try {
    const session = await refresh(refreshToken);
    keeper.write(keep(session));
    return session.access_token;
  } catch (error) {
    // Only the API ends a session: a connection that failed may work a moment later.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    keeper.write(undefined);
    return undefined;
  }
}
