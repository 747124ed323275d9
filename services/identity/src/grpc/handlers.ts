import { invalid } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import type { CallerPolicy, controlPlane, Handlers } from '@tollgate/rpc';
import type { IdentityOperations } from '../operations/identity-operations';
import type { IssuedKey } from '../operations/keys';
import {
  fromProtoActor,
  fromProtoAuditEntry,
  fromProtoAuditFilter,
  fromProtoIdempotency,
  fromProtoKeyUse,
  fromProtoRole,
  fromProtoSettings,
  fromProtoStatus,
} from './from-proto';
import {
  toProtoAccount,
  toProtoAuditEntry,
  toProtoFrame,
  toProtoKey,
  toProtoPrincipal,
  toProtoSession,
  toProtoUser,
} from './to-proto';

type IdentityShape = ReturnType<typeof controlPlane<'identity'>>;
type IdentityHandlers = Handlers<IdentityShape>;

/** Only the edge asks identity; everybody else gets what it needs with the request. */
const EDGE = ['gateway'] as const;

export const identityPolicy: CallerPolicy<IdentityShape> = {
  verifyApiKey: EDGE,
  watchRevocations: EDGE,
  createApiKey: EDGE,
  listApiKeys: EDGE,
  getApiKey: EDGE,
  updateApiKey: EDGE,
  deleteApiKey: EDGE,
  rotateApiKey: EDGE,
  reportKeyUses: EDGE,
  login: EDGE,
  refreshSession: EDGE,
  logout: EDGE,
  changePassword: EDGE,
  getSigningKeys: EDGE,
  listOAuthProviders: EDGE,
  startOAuth: EDGE,
  completeOAuth: EDGE,
  exchangeOAuthCode: EDGE,
  getUser: EDGE,
  createUser: EDGE,
  listUsers: EDGE,
  createAccount: EDGE,
  getAccount: EDGE,
  listAccounts: EDGE,
  updateAccount: EDGE,
  addMember: EDGE,
  listMembers: EDGE,
  removeMember: EDGE,
  beginAuditEntry: EDGE,
  endAuditEntry: EDGE,
  listAuditEntries: EDGE,
  getAuditEntry: EDGE,
};

/** Translates, calls one operation, translates back. */
export function createIdentityHandlers(operations: IdentityOperations): IdentityHandlers {
  return {
    ...createKeyHandlers(operations),
    ...createSessionHandlers(operations),
    ...createAccountHandlers(operations),
    ...createAuditLogHandlers(operations),
  };
}

type KeyHandlers = Pick<
  IdentityHandlers,
  | 'verifyApiKey'
  | 'watchRevocations'
  | 'createApiKey'
  | 'listApiKeys'
  | 'getApiKey'
  | 'updateApiKey'
  | 'deleteApiKey'
  | 'rotateApiKey'
  | 'reportKeyUses'
>;

function createKeyHandlers(operations: IdentityOperations): KeyHandlers {
  return {
    async verifyApiKey({ apiKey }) {
      const { principal, revision } = await operations.verifyApiKey(apiKey);
      return { principal: toProtoPrincipal(principal), revision: revision.toString() };
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
        idempotency: fromProtoIdempotency(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async listApiKeys({ actor, accountId, limit, cursor }) {
      const found = await operations.listApiKeys({
        actor: fromProtoActor(actor),
        accountId: accountId === '' ? undefined : accountId,
        page: { limit, cursor },
      });
      return { apiKeys: found.items.map(toProtoKey), nextCursor: found.nextCursor };
    },
    async getApiKey({ actor, keyId }) {
      const key = await operations.getApiKey({ actor: fromProtoActor(actor), keyId });
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
        idempotency: fromProtoIdempotency(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async reportKeyUses({ uses }) {
      await operations.reportKeyUses(uses.map(fromProtoKeyUse));
      return {};
    },
  };
}

function toProtoIssuedKey({ key, secret, replayed }: IssuedKey) {
  return { apiKey: toProtoKey(key), secret, replayed };
}

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

function createSessionHandlers(operations: IdentityOperations): SessionHandlers {
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

type AccountHandlers = Pick<
  IdentityHandlers,
  | 'getUser'
  | 'createUser'
  | 'listUsers'
  | 'createAccount'
  | 'getAccount'
  | 'listAccounts'
  | 'updateAccount'
  | 'addMember'
  | 'listMembers'
  | 'removeMember'
>;

function createAccountHandlers(operations: IdentityOperations): AccountHandlers {
  return {
    ...createMemberHandlers(operations),
    async getUser({ userId, sessionId }) {
      const input = sessionId === '' ? { userId } : { userId, sessionId };
      const { user, account } = await operations.getUser(input);
      return { user: toProtoUser(user), account: toProtoAccount(account) };
    },
    async createUser(request) {
      const { actor, email, password, displayName, accountId, role, registration } = request;
      const created = await operations.createUser({
        actor: registration ? undefined : fromProtoActor(actor),
        email,
        password,
        displayName,
        accountId,
        role: fromProtoRole(role),
        registration,
        idempotency: fromProtoIdempotency(request.idempotency),
      });
      const { user, account, replayed } = created;
      return { user: toProtoUser(user), account: toProtoAccount(account), replayed };
    },
    async listUsers({ actor, accountId, limit, cursor }) {
      const page = { limit, cursor };
      const found = await operations.listUsers({ actor: fromProtoActor(actor), accountId, page });
      return { users: found.items.map(toProtoUser), nextCursor: found.nextCursor };
    },
    async createAccount({ actor, name, plan, owner, idempotency }) {
      const created = await operations.createAccount({
        actor: fromProtoActor(actor),
        name,
        plan,
        owner: fromProtoOwner(owner),
        idempotency: fromProtoIdempotency(idempotency),
      });
      const { account, replayed } = created;
      return { account: toProtoAccount(account), owner: toProtoUser(created.owner), replayed };
    },
    async getAccount({ accountId }) {
      return { account: toProtoAccount(await operations.getAccount(accountId)) };
    },
    async listAccounts({ actor, limit, cursor }) {
      const page = { limit, cursor };
      const found = await operations.listAccounts({ actor: fromProtoActor(actor), page });
      return { accounts: found.items.map(toProtoAccount), nextCursor: found.nextCursor };
    },
    async updateAccount({ actor, accountId, name, plan, status, groups }) {
      const account = await operations.updateAccount({
        actor: fromProtoActor(actor),
        accountId,
        name,
        plan,
        status: fromProtoStatus(status),
        groups: groups?.values,
      });
      return { account: toProtoAccount(account) };
    },
  };
}

function createMemberHandlers(
  operations: IdentityOperations,
): Pick<IdentityHandlers, 'addMember' | 'listMembers' | 'removeMember'> {
  return {
    async addMember({ actor, email, password, displayName, role, idempotency }) {
      const { user, replayed } = await operations.addMember({
        actor: fromProtoActor(actor),
        email,
        password,
        displayName,
        role: fromProtoRole(role),
        idempotency: fromProtoIdempotency(idempotency),
      });
      return { user: toProtoUser(user), replayed };
    },
    async listMembers({ actor, limit, cursor }) {
      const page = { limit, cursor };
      const found = await operations.listMembers({ actor: fromProtoActor(actor), page });
      return { users: found.items.map(toProtoUser), nextCursor: found.nextCursor };
    },
    async removeMember({ actor, userId }) {
      await operations.removeMember({ actor: fromProtoActor(actor), userId });
      return {};
    },
  };
}

function fromProtoOwner(owner: identityV1.NewOwner__Output | null) {
  if (owner === null) throw invalid('owner', 'owner is required.');
  const { email, password, displayName } = owner;
  return { email, password, displayName };
}

function createAuditLogHandlers(
  operations: IdentityOperations,
): Pick<
  IdentityHandlers,
  'beginAuditEntry' | 'endAuditEntry' | 'listAuditEntries' | 'getAuditEntry'
> {
  return {
    async beginAuditEntry({ entry }) {
      await operations.beginAuditEntry(fromProtoAuditEntry(entry));
      return {};
    },
    async endAuditEntry(request) {
      const { id, nothingDone, errorCode, afterJson, accountId, resourceId } = request;
      const succeeded = request.outcome === 'AUDIT_OUTCOME_SUCCEEDED';
      const end = { succeeded, errorCode, after: afterJson, accountId, resourceId };
      await operations.endAuditEntry(id, nothingDone ? undefined : end);
      return {};
    },
    async listAuditEntries(request) {
      const { actor, limit, cursor } = request;
      const page = { limit, cursor };
      const filter = fromProtoAuditFilter(request);
      const found = await operations.listAuditEntries(fromProtoActor(actor), filter, page);
      return { entries: found.items.map(toProtoAuditEntry), nextCursor: found.nextCursor };
    },
    async getAuditEntry({ actor, id }) {
      const entry = await operations.getAuditEntry(fromProtoActor(actor), id);
      return { entry: toProtoAuditEntry(entry) };
    },
  };
}
