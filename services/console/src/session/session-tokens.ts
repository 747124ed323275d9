import { ApiError } from '../api/api-error';
import { createApiClient, type TokenSource } from '../api/client';
import { unwrap } from '../api/queries';
import type { Session, User } from '../api/schemas';

/** A session as the page keeps it, in memory: what renews it is in a cookie that no script sees. */
export interface KeptSession {
  readonly access_token: string;
  readonly expires_at_ms: number;
  readonly user: User;
}

/** The one place of the page where its session is. */
export interface SessionKeeper {
  /** `starting` when only the cookie knows. */
  read(): KeptSession | 'starting' | undefined;
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

export function keep({ access_token, expires_in, user }: Session): KeptSession {
  return { access_token, user, expires_at_ms: Date.now() + expires_in * 1000 };
}

/** Exchanges the cookie for the next session. */
export type Refresh = () => Promise<Session>;

const refreshByCookie: Refresh = () =>
  unwrap(anonymousApi.POST('/v1/users/refresh', { body: { cookie: true } }));

/**
 * Access tokens of the kept session. What renews them may be used once, so that all who need another
 * access token at the same time wait for one renewal.
 */
export function createSessionTokens(
  keeper: SessionKeeper,
  refresh: Refresh = refreshByCookie,
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
      if (session === 'starting') return renew();
      const isFresh = session.expires_at_ms - Date.now() > RENEW_BEFORE_MS;
      return isFresh ? session.access_token : renew();
    },
    async replace(refused) {
      const session = keeper.read();
      if (session === undefined) return undefined;
      // Somebody else has renewed it since.
      if (session !== 'starting' && session.access_token !== refused) return session.access_token;
      return renew();
    },
  };
}

async function renewOnce(keeper: SessionKeeper, refresh: Refresh): Promise<string | undefined> {
  const before = keeper.read();
  // Whoever logged out meanwhile stays out, and whoever logged in has a newer session.
  const replaceBy = (next: KeptSession | undefined) => {
    if (keeper.read() === before) keeper.write(next);
  };
  try {
    replaceBy(keep(await refresh()));
  } catch (error) {
    // Only the API ends a session: a connection that failed may work a moment later.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    replaceBy(undefined);
  }
  const session = keeper.read();
  return typeof session === 'object' ? session.access_token : undefined;
}
