import { PROTO_ROLES, toActor } from '../actor';
import { operation } from '../operation';
import { PAGE_RULES, pageQuery, pageSchemaOf, toPageAnswer } from '../paging';
import { deletedSchema, idParams, required, toDeleted } from '../values';
import {
  memberRole,
  newUserSchema,
  PASSWORD_RULE,
  toNewUser,
  toUser,
  toUserChanges,
  userChanges,
  userSchema,
} from './user';

export const listMembers = operation(
  {
    summary: 'List the members of the account',
    query: pageQuery,
    rules: PAGE_RULES,
    data: pageSchemaOf(userSchema),
  },
  async ({ principal, query, context }, { identity }) => {
    const { limit, cursor = '' } = query;
    const actor = toActor(principal);
    const { users, nextCursor } = await identity.listMembers({ actor, limit, cursor }, context.rpc);
    return { data: toPageAnswer(users.map(toUser), nextCursor) };
  },
);

export const listAccountMembers = operation(
  {
    summary: 'List the members of any account',
    params: idParams,
    query: pageQuery,
    rules: PAGE_RULES,
    data: pageSchemaOf(userSchema),
  },
  async ({ principal, params, query, context }, { identity }) => {
    const { limit, cursor = '' } = query;
    const accountId = params.id;
    await identity.getAccount({ accountId }, context.rpc);
    const { users, nextCursor } = await identity.listUsers(
      { actor: toActor(principal), accountId, limit, cursor },
      context.rpc,
    );
    return { data: toPageAnswer(users.map(toUser), nextCursor) };
  },
);

export const addMember = operation(
  {
    summary: 'Add a member to the account',
    body: newUserSchema.extend({ role: memberRole.default('member') }),
    rules: { password: PASSWORD_RULE },
    data: userSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { user, replayed } = await identity.addMember(
      {
        actor: toActor(principal),
        ...toNewUser(body),
        role: PROTO_ROLES[body.role],
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUser(required(user)), replayed };
  },
);

export const getMember = operation(
  {
    summary: 'Get one member of the account',
    params: idParams,
    data: userSchema,
  },
  async ({ principal, params, context }, { identity }) => {
    const actor = toActor(principal);
    const { user } = await identity.getMember({ actor, userId: params.id }, context.rpc);
    return { data: toUser(required(user)) };
  },
);

export const updateMember = operation(
  {
    summary: 'Change the role or the name of a member',
    params: idParams,
    body: userChanges,
    data: userSchema,
  },
  async ({ principal, params, body, context }, { identity }) => {
    const asked = { actor: toActor(principal), userId: params.id, ...toUserChanges(body) };
    const { user } = await identity.updateMember(asked, context.rpc);
    return { data: toUser(required(user)) };
  },
);

export const removeMember = operation(
  {
    summary: 'Remove a member from the account',
    params: idParams,
    data: deletedSchema,
  },
  async ({ principal, params, context }, { identity }) => {
    await identity.removeMember({ actor: toActor(principal), userId: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  },
);
