import type { identityV1 } from '@tollgate/protos';
import { invalid } from '../domain/invalid';
import type { IdentityOperations } from '../operations/identity-operations';
import { fromProtoActor, fromProtoIdempotency, fromProtoRole, fromProtoStatus } from './from-proto';
import type { IdentityHandlers } from './identity-shape';
import { toProtoAccount, toProtoUser } from './to-proto';

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

export function createAccountHandlers(operations: IdentityOperations): AccountHandlers {
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
