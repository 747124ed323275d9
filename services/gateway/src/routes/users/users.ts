import { EMAIL_LENGTH_MAX } from '@tollgate/core';
import { toProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { requireAccount } from '../accounts/accounts';
import { toActor } from '../asking/actor';
import { required } from '../asking/required';
import { operation, publicOperation } from '../operation';
import { listOf, toPageAnswer } from '../payloads/paging';
import { deletedSchema, idParams, noFields, toDeleted } from '../payloads/values';
import {
  memberRole,
  newUserSchema,
  PASSWORD_RULE,
  toNewUser,
  toUser,
  toUserChanges,
  toUserOfAccount,
  toUserWithAccount,
  userChanges,
  userOfAccountSchema,
  userSchema,
  userWithAccountSchema,
} from './user-form';

export const listUsers = operation(
  {
    summary: 'List users, of one account or of all',
    ...listOf(userSchema.extend({ account_id: z.string() }), {
      account_id: z.string().min(1).max(128).optional(),
      email: z
        .string()
        .min(1)
        .max(EMAIL_LENGTH_MAX)
        .optional()
        .describe(
          'How the email begins, in upper or lower case; the list is in the order of emails then, and newest ' +
            'first otherwise.',
        ),
    }),
  },
  async ({ principal, query }, { identity }) => {
    const { account_id: accountId = '', email = '', ...page } = query;
    const { users, nextCursor } = await identity.listUsers({
      actor: toActor(principal),
      accountId,
      email,
      ...page,
    });
    return { data: toPageAnswer(users.map(toUserOfAccount), nextCursor) };
  },
);

export const createUser = operation(
  {
    summary: 'Create a user in an account, or with a new account',
    body: newUserSchema.extend({
      account_id: z.string().min(1).max(128).optional(),
      role: memberRole.optional(),
    }),
    rules: { password: PASSWORD_RULE },
    data: userWithAccountSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { user, account, replayed } = await identity.createUser({
      actor: toActor(principal),
      ...toNewUser(body),
      accountId: body.account_id ?? '',
      role: body.role === undefined ? 'ROLE_UNSPECIFIED' : toProtoName('ROLE', body.role),
      idempotency: context.idempotency,
    });
    return { data: toUserWithAccount(required(user), required(account)), replayed };
  },
);

/** Identity refuses with FORBIDDEN while registration is closed. */
export const registerUser = publicOperation(
  {
    summary: 'Register, where the operator has opened registration',
    body: newUserSchema,
    rules: { password: PASSWORD_RULE },
    data: userWithAccountSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ body, context }, { identity }) => {
    const { user, account, replayed } = await identity.createUser({
      ...toNewUser(body),
      registration: true,
      idempotency: context.idempotency,
    });
    return { data: toUserWithAccount(required(user), required(account)), replayed };
  },
);

export const getCurrentUser = operation(
  {
    summary: 'Get the signed-in user',
    data: userWithAccountSchema,
  },
  async ({ principal }, { identity }) => {
    const { user, account } = await identity.getUser({ userId: principal.userId });
    return { data: toUserWithAccount(required(user), required(account)) };
  },
);

export const getUser = operation(
  {
    summary: 'Get any user',
    params: idParams,
    data: userWithAccountSchema,
  },
  async ({ params }, { identity }) => {
    const { user, account } = await identity.getUser({ userId: params.id });
    return { data: toUserWithAccount(required(user), required(account)) };
  },
);

export const updateUser = operation(
  {
    summary: 'Change the role, the name or the email of a user of any account',
    params: idParams,
    body: userChanges.extend({
      email: newUserSchema.shape.email
        .optional()
        .describe(
          'You vouch for it, be it the one that the user has: a login at a provider with it joins ' +
            'this user. To move somebody off an address that is not theirs, give one that ends in ' +
            '`.invalid`: nobody has it, and nobody vouches for it. Password, sessions and keys stay.',
        ),
    }),
    data: userOfAccountSchema,
  },
  async ({ principal, params, body }, { identity }) => {
    const asked = { actor: toActor(principal), userId: params.id, anyAccount: true };
    const { email, ...changes } = body;
    const vouched = email === undefined ? {} : { email };
    const { user } = await identity.updateMember({
      ...asked,
      ...toUserChanges(changes),
      ...vouched,
    });
    return { data: toUserOfAccount(required(user)) };
  },
);

const SAME_AGAIN = { ignored: 'Doing it again changes nothing.' } as const;

export const disableUser = userStatus('Sign a user out and let them in no more', 'DISABLED');
export const enableUser = userStatus('Let a disabled user in again', 'ACTIVE');

/** Keys that a user made act for nobody while the user is disabled. */
function userStatus(summary: string, status: 'ACTIVE' | 'DISABLED') {
  return operation(
    {
      summary,
      params: idParams,
      body: noFields,
      data: userOfAccountSchema,
      idempotency: SAME_AGAIN,
    },
    async ({ principal, params }, { identity }) => {
      const { user } = await identity.setUserStatus({
        actor: toActor(principal),
        userId: params.id,
        status: `USER_STATUS_${status}`,
      });
      return { data: toUserOfAccount(required(user)) };
    },
  );
}

export const endUserSessions = operation(
  {
    summary: 'End every session of a user',
    params: idParams,
    body: noFields,
    data: userOfAccountSchema,
    idempotency: SAME_AGAIN,
  },
  async ({ principal, params }, { identity }) => {
    const { user } = await identity.endUserSessions({
      actor: toActor(principal),
      userId: params.id,
    });
    return { data: toUserOfAccount(required(user)) };
  },
);

export const listMembers = operation(
  {
    summary: 'List the members of the account',
    ...listOf(userSchema),
  },
  async ({ principal, query }, { identity }) => {
    const actor = toActor(principal);
    const { users, nextCursor } = await identity.listMembers({ actor, ...query });
    return { data: toPageAnswer(users.map(toUser), nextCursor) };
  },
);

export const listAccountMembers = operation(
  {
    summary: 'List the members of any account',
    params: idParams,
    ...listOf(userSchema),
  },
  async ({ principal, params, query }, { identity }) => {
    const accountId = params.id;
    await requireAccount({ identity }, accountId);
    const { users, nextCursor } = await identity.listUsers({
      actor: toActor(principal),
      accountId,
      ...query,
    });
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
    const { user, replayed } = await identity.addMember({
      actor: toActor(principal),
      ...toNewUser(body),
      role: toProtoName('ROLE', body.role),
      idempotency: context.idempotency,
    });
    return { data: toUser(required(user)), replayed };
  },
);

export const getMember = operation(
  {
    summary: 'Get one member of the account',
    params: idParams,
    data: userSchema,
  },
  async ({ principal, params }, { identity }) => {
    const actor = toActor(principal);
    const { user } = await identity.getMember({ actor, userId: params.id });
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
  async ({ principal, params, body }, { identity }) => {
    const asked = { actor: toActor(principal), userId: params.id, ...toUserChanges(body) };
    const { user } = await identity.updateMember(asked);
    return { data: toUser(required(user)) };
  },
);

export const removeMember = operation(
  {
    summary: 'Remove a member from the account',
    params: idParams,
    data: deletedSchema,
  },
  async ({ principal, params }, { identity }) => {
    await identity.removeMember({ actor: toActor(principal), userId: params.id });
    return { data: toDeleted(params.id) };
  },
);
