import { invalid, toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { type definitionOf, fromProtoText, type Handlers } from '@tollgate/rpc';
import { KeyRefusedError } from '../operations/key-verification';
import type { IssuedKey } from '../operations/keys';
import type { IdentityOperations } from '../operations/operations';
import {
  ACCOUNT_STATUSES,
  fromProtoActor,
  fromProtoAuditEntry,
  fromProtoAuditFilter,
  fromProtoIdempotencyMessage,
  fromProtoKeyUse,
  fromProtoRole,
  fromProtoSettings,
  fromProtoStatus,
  fromProtoTerms,
} from './from-proto';
import {
  toProtoAccount,
  toProtoAuditEntry,
  toProtoDelta,
  toProtoKey,
  toProtoPrincipal,
  toProtoRefusedKey,
  toProtoSession,
  toProtoUser,
} from './to-proto';

type IdentityHandlers = Handlers<ReturnType<typeof definitionOf<'identity'>>>;

/** Translates, calls one operation, translates back. */
export function createIdentityHandlers(operations: IdentityOperations): IdentityHandlers {
  return {
    ...createKeyHandlers(operations),
    ...createSessionHandlers(operations),
    ...createUserHandlers(operations),
    ...createPasswordHandlers(operations),
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
        write: (delta: Parameters<typeof toProtoDelta>[0]) => out.write(toProtoDelta(delta)),
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
      return operations.getSigningKeys();
    },
    async listOAuthProviders() {
      return { providers: await operations.listOAuthProviders() };
    },
    startOAuth: ({ provider, redirectTo, callbackUrl, browserBinding }) =>
      operations.startOAuth({ provider, redirectTo, callbackUrl, browserBinding }),
    async completeOAuth({ callbackUrl, state, browserBinding, wantCode }) {
      const input = { callbackUrl, state, browserBinding, wantCode };
      const { session, oneTimeCode, redirectTo } = await operations.completeOAuth(input);
      return { session: session && toProtoSession(session), oneTimeCode, redirectTo };
    },
    async exchangeOAuthCode({ code, browserBinding }) {
      const session = await operations.exchangeOAuthCode({ code, browserBinding });
      return { session: toProtoSession(session) };
    },
  } satisfies Partial<IdentityHandlers>;
}

function createUserHandlers(operations: IdentityOperations) {
  return {
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
        mustChangePassword: request.mustChangePassword,
        accountId,
        role: fromProtoRole(role),
        registration,
        idempotency: fromProtoIdempotencyMessage(request.idempotency),
      });
      const { user, account, replayed } = created;
      return { user: toProtoUser(user), account: toProtoAccount(account), replayed };
    },
    async listUsers({ actor, accountId, email, limit, cursor }) {
      const found = await operations.listUsers({
        actor: fromProtoActor(actor),
        accountId,
        email,
        page: { limit, cursor },
      });
      return { users: found.items.map(toProtoUser), nextCursor: found.nextCursor };
    },
    async setUserStatus({ actor, userId, status }) {
      const user = await operations.setUserStatus({
        actor: fromProtoActor(actor),
        userId,
        status: status === 'USER_STATUS_ACTIVE' ? 'active' : 'disabled',
      });
      return { user: toProtoUser(user) };
    },
    async endUserSessions({ actor, userId }) {
      const user = await operations.endUserSessions({ actor: fromProtoActor(actor), userId });
      return { user: toProtoUser(user) };
    },
  } satisfies Partial<IdentityHandlers>;
}

function createAccountHandlers(operations: IdentityOperations) {
  return {
    async createAccount({ actor, name, plan, owner, idempotency }) {
      const created = await operations.createAccount({
        actor: fromProtoActor(actor),
        name,
        plan,
        owner: fromProtoOwner(owner),
        idempotency: fromProtoIdempotencyMessage(idempotency),
      });
      const { account, replayed } = created;
      return { account: toProtoAccount(account), owner: toProtoUser(created.owner), replayed };
    },
    async getAccount({ accountId }) {
      return { account: toProtoAccount(await operations.getAccount(accountId)) };
    },
    async listAccounts({ actor, name, email, status, limit, cursor }) {
      const found = await operations.listAccounts({
        actor: fromProtoActor(actor),
        name,
        email,
        status: ACCOUNT_STATUSES[status],
        page: { limit, cursor },
      });
      return { accounts: found.items.map(toProtoAccount), nextCursor: found.nextCursor };
    },
    async updateAccount({ actor, accountId, name, plan, status, groups, ...terms }) {
      const account = await operations.updateAccount({
        actor: fromProtoActor(actor),
        accountId,
        name,
        plan,
        status: fromProtoStatus(status),
        groups: groups?.values,
        terms: fromProtoTerms(terms),
      });
      return { account: toProtoAccount(account) };
    },
    async eraseAccount({ actor, accountId, idempotency }) {
      const { account, replayed } = await operations.eraseAccount({
        actor: fromProtoActor(actor),
        accountId,
        idempotency: fromProtoIdempotencyMessage(idempotency),
      });
      return { account: toProtoAccount(account), replayed };
    },
  } satisfies Partial<IdentityHandlers>;
}

function createMemberHandlers(operations: IdentityOperations) {
  return {
    async addMember(request) {
      const { actor, email, password, displayName, role, idempotency } = request;
      const { user, replayed } = await operations.addMember({
        actor: fromProtoActor(actor),
        email,
        password,
        displayName,
        mustChangePassword: request.mustChangePassword,
        role: fromProtoRole(role),
        idempotency: fromProtoIdempotencyMessage(idempotency),
      });
      return { user: toProtoUser(user), replayed };
    },
    async listMembers({ actor, limit, cursor }) {
      const page = { limit, cursor };
      const found = await operations.listMembers({ actor: fromProtoActor(actor), page });
      return { users: found.items.map(toProtoUser), nextCursor: found.nextCursor };
    },
    async getMember({ actor, userId }) {
      const user = await operations.getMember({ actor: fromProtoActor(actor), userId });
      return { user: toProtoUser(user) };
    },
    async updateMember({ actor, userId, displayName, role, anyAccount, email }) {
      const user = await operations.updateMember({
        actor: fromProtoActor(actor),
        userId,
        displayName,
        anyAccount,
        email,
        role: fromProtoRole(role),
      });
      return { user: toProtoUser(user) };
    },
    async removeMember({ actor, userId }) {
      await operations.removeMember({ actor: fromProtoActor(actor), userId });
      return {};
    },
  } satisfies Partial<IdentityHandlers>;
}

function fromProtoOwner(owner: identityV1.NewOwner__Output | null) {
  if (owner === null) throw invalid('owner', 'owner is required.');
  const { email, password, displayName, mustChangePassword } = owner;
  return { email, password, displayName, mustChangePassword };
}

function createAuditLogHandlers(operations: IdentityOperations) {
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
  } satisfies Partial<IdentityHandlers>;
}

function createPasswordHandlers(operations: IdentityOperations) {
  return {
    async startPasswordReset({ actor, userId }) {
      const started = await operations.startPasswordReset({ actor: fromProtoActor(actor), userId });
      const { user, code, expiresAtMs } = started;
      return { user: toProtoUser(user), code, expiresAt: toIsoTime(expiresAtMs) };
    },
    async resetPassword(request) {
      const { id } = await operations.resetPassword(request);
      return { userId: id };
    },
  } satisfies Partial<IdentityHandlers>;
}
