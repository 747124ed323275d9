import { type controlPlane, fromProtoText, type Handlers, type PeerPolicy } from '@tollgate/rpc';
import { KeyRefusedError } from '../operations/key-verification';
import type { IssuedKey } from '../operations/keys';
import type { IdentityOperations } from '../operations/operations';
import {
  fromProtoActor,
  fromProtoIdempotencyMessage,
  fromProtoKeyUse,
  fromProtoSettings,
} from './from-proto';
import {
  createAccountHandlers,
  createAuditLogHandlers,
  createMemberHandlers,
  createUserCommandHandlers,
  createUserHandlers,
} from './management-handlers';
import {
  toProtoFrame,
  toProtoKey,
  toProtoPrincipal,
  toProtoRefusedKey,
  toProtoSession,
} from './to-proto';

type IdentityShape = ReturnType<typeof controlPlane<'identity'>>;
type IdentityHandlers = Handlers<IdentityShape>;

/** Only the gateway asks identity; everybody else gets what it needs with the request. */
const GATEWAY = ['gateway'] as const;

export const identityPolicy: PeerPolicy<IdentityShape> = {
  verifyApiKey: GATEWAY,
  watchRevocations: GATEWAY,
  createApiKey: GATEWAY,
  listApiKeys: GATEWAY,
  getApiKey: GATEWAY,
  updateApiKey: GATEWAY,
  setApiKeyStatus: GATEWAY,
  deleteApiKey: GATEWAY,
  rotateApiKey: GATEWAY,
  reportKeyUses: GATEWAY,
  login: GATEWAY,
  refreshSession: GATEWAY,
  logout: GATEWAY,
  changePassword: GATEWAY,
  getSigningKeys: GATEWAY,
  listOAuthProviders: GATEWAY,
  startOAuth: GATEWAY,
  completeOAuth: GATEWAY,
  exchangeOAuthCode: GATEWAY,
  getUser: GATEWAY,
  createUser: GATEWAY,
  listUsers: GATEWAY,
  createAccount: GATEWAY,
  getAccount: GATEWAY,
  listAccounts: GATEWAY,
  updateAccount: GATEWAY,
  eraseAccount: GATEWAY,
  addMember: GATEWAY,
  listMembers: GATEWAY,
  removeMember: GATEWAY,
  getMember: GATEWAY,
  updateMember: GATEWAY,
  setUserStatus: GATEWAY,
  endUserSessions: GATEWAY,
  startPasswordReset: GATEWAY,
  resetPassword: GATEWAY,
  beginAuditEntry: GATEWAY,
  endAuditEntry: GATEWAY,
  listAuditEntries: GATEWAY,
  getAuditEntry: GATEWAY,
};

/** Translates, calls one operation, translates back. */
export function createIdentityHandlers(operations: IdentityOperations): IdentityHandlers {
  return {
    ...createKeyHandlers(operations),
    ...createSessionHandlers(operations),
    ...createUserHandlers(operations),
    ...createUserCommandHandlers(operations),
    ...createMemberHandlers(operations),
    ...createAccountHandlers(operations),
    ...createAuditLogHandlers(operations),
  };
}

function createKeyHandlers(operations: IdentityOperations) {
  return {
    async verifyApiKey({ apiKey, explain }) {
      try {
        const { principal, revision } = await operations.verifyApiKey(apiKey);
        return { principal: toProtoPrincipal(principal), revision: revision.toString() };
      } catch (error) {
        if (!explain || !(error instanceof KeyRefusedError)) throw error;
        return { refusal: toProtoRefusedKey(error) };
      }
    },
    async watchRevocations({ afterRevision }, call, out) {
      const sink = {
        write: (frame: Parameters<typeof toProtoFrame>[0]) => out.write(toProtoFrame(frame)),
        drained: () => out.drained(),
      };
      const over = AbortSignal.any([call.signal, call.draining]);
      await operations.watchRevocations(BigInt(afterRevision), sink, over);
    },
    async createApiKey({ actor, settings, idempotency }) {
      const issued = await operations.createApiKey({
        actor: fromProtoActor(actor),
        settings: fromProtoSettings(settings),
        idempotency: fromProtoIdempotencyMessage(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async listApiKeys({ actor, accountId, limit, cursor }) {
      const found = await operations.listApiKeys({
        actor: fromProtoActor(actor),
        accountId: fromProtoText(accountId),
        page: { limit, cursor },
      });
      return { apiKeys: found.items.map(toProtoKey), nextCursor: found.nextCursor };
    },
    async getApiKey({ actor, keyId, publicId }) {
      const key = await operations.getApiKey({ actor: fromProtoActor(actor), keyId, publicId });
      return { apiKey: toProtoKey(key) };
    },
    async updateApiKey({ actor, keyId, settings }) {
      const key = await operations.updateApiKey({
        actor: fromProtoActor(actor),
        keyId,
        settings: fromProtoSettings(settings),
      });
      return { apiKey: toProtoKey(key) };
    },
    async deleteApiKey({ actor, keyId }) {
      await operations.deleteApiKey({ actor: fromProtoActor(actor), keyId });
      return {};
    },
    async rotateApiKey({ actor, keyId, gracePeriodSeconds, idempotency }) {
      const issued = await operations.rotateApiKey({
        actor: fromProtoActor(actor),
        keyId,
        gracePeriodS: gracePeriodSeconds,
        idempotency: fromProtoIdempotencyMessage(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async setApiKeyStatus({ actor, keyId, disabled }) {
      const asked = { actor: fromProtoActor(actor), keyId, disabled };
      return { apiKey: toProtoKey(await operations.setApiKeyStatus(asked)) };
    },
    async reportKeyUses({ uses }) {
      await operations.reportKeyUses(uses.map(fromProtoKeyUse));
      return {};
    },
  } satisfies Partial<IdentityHandlers>;
}

function toProtoIssuedKey({ key, secret, replayed }: IssuedKey) {
  return { apiKey: toProtoKey(key), secret, replayed };
}

function createSessionHandlers(operations: IdentityOperations) {
  return {
    async login({ email, password, remoteAddress }) {
      const session = await operations.login({ email, password, remoteAddress });
      return { session: toProtoSession(session) };
    },
    async refreshSession({ refreshToken, cookie }) {
      return { session: toProtoSession(await operations.refreshSession(refreshToken, cookie)) };
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
        idempotency: fromProtoIdempotencyMessage(idempotency),
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
    async exchangeOAuthCode({ code, browserBinding }) {
      const session = await operations.exchangeOAuthCode({ code, browserBinding });
      return { session: toProtoSession(session) };
    },
  } satisfies Partial<IdentityHandlers>;
}
