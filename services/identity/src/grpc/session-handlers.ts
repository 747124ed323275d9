import type { IdentityOperations } from '../operations/identity-operations';
import { fromProtoIdempotency } from './from-proto';
import type { IdentityHandlers } from './identity-shape';
import { toProtoSession } from './to-proto';

type SessionHandlers = Pick<
  IdentityHandlers,
  | 'login'
  | 'refreshSession'
  | 'logout'
  | 'changePassword'
  | 'getSigningKeys'
  | 'listOAuthProviders'
  | 'startOAuth'
  | 'completeOAuth'
  | 'exchangeOAuthCode'
>;

export function createSessionHandlers(operations: IdentityOperations): SessionHandlers {
  return {
    async login({ email, password, remoteAddress }) {
      const session = await operations.login({ email, password, remoteAddress });
      return { session: toProtoSession(session) };
    },
    async refreshSession({ refreshToken }) {
      return { session: toProtoSession(await operations.refreshSession(refreshToken)) };
    },
    async logout({ userId, sessionId, refreshToken, allSessions }) {
      const byToken = refreshToken !== '';
      await operations.logout(byToken ? { refreshToken, allSessions } : { userId, sessionId });
      return {};
    },
    changePassword: ({ userId, currentPassword, newPassword, idempotency }) =>
      operations.changePassword({
        userId,
        currentPassword,
        newPassword,
        idempotency: fromProtoIdempotency(idempotency),
      }),
    async getSigningKeys() {
      const { keys, issuer, audience } = await operations.getSigningKeys();
      return { keys: [...keys], issuer, audience };
    },
    async listOAuthProviders() {
      return { providers: [...(await operations.listOAuthProviders())] };
    },
    startOAuth: ({ provider, redirectTo, callbackUrl, browserBinding }) =>
      operations.startOAuth({ provider, redirectTo, callbackUrl, browserBinding }),
    async completeOAuth({ callbackUrl, state, browserBinding, wantCode }) {
      const input = { callbackUrl, state, browserBinding, wantCode };
      const { session, oneTimeCode, redirectTo } = await operations.completeOAuth(input);
      const tokens = session === undefined ? {} : { session: toProtoSession(session) };
      return { ...tokens, oneTimeCode, redirectTo };
    },
    async exchangeOAuthCode({ code }) {
      return { session: toProtoSession(await operations.exchangeOAuthCode(code)) };
    },
  };
}
