import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from '../actor';
import { findSwitchedOff } from '../audit-log/switched-off';
import { operation } from '../operation';
import { orUndefined } from '../partial-answer';
import { idParams, isoTime, named, noMembers, required } from '../values';
import { accountSchema, toAccount } from './accounts';
import {
  memberChanges,
  newPassword,
  PASSWORD_RULE,
  personSchema,
  toMemberChanges,
  toUser,
  toUserWithAccount,
  userWithAccountSchema,
} from './users';

const SAME_AGAIN = { ignored: 'Doing it again changes nothing.' } as const;

const userOfAccountSchema = named('UserOfAccount', {
  ...userWithAccountSchema.omit({ account: true }).shape,
  account_id: z.string(),
});

function toUserOfAccount(user: identityV1.User__Output): z.infer<typeof userOfAccountSchema> {
  return { ...toUser(user), account_id: user.accountId };
}

export const getUser = operation(
  {
    summary: 'Get any user',
    params: idParams,
    data: userWithAccountSchema,
  },
  async ({ params, context }, { identity }) => {
    const { user, account } = await identity.getUser({ userId: params.id }, context.rpc);
    return { data: toUserWithAccount(required(user), required(account)) };
  },
);

export const updateUser = operation(
  {
    summary: 'Change the role, the name or the email of a user of any account',
    params: idParams,
    body: memberChanges.extend({
      email: personSchema.shape.email.optional().meta({
        description:
          'You vouch for it, be it the one that the user has: a login at a provider with it joins ' +
          'this user. To move somebody off an address that is not theirs, give one that ends in ' +
          '`.invalid`: nobody has it, and nobody vouches for it. Password, sessions and keys stay.',
      }),
    }),
    data: userOfAccountSchema,
  },
  async ({ principal, params, body, context }, { identity }) => {
    const asked = { actor: toActor(principal), userId: params.id, anyAccount: true };
    const { email, ...changes } = body;
    const vouched = email === undefined ? {} : { email };
    const { user } = await identity.updateMember(
      { ...asked, ...toMemberChanges(changes), ...vouched },
      context.rpc,
    );
    return { data: toUserOfAccount(required(user)) };
  },
);

/** The code is in this answer and in no other; the present password works until it is used. */
export const startPasswordReset = operation(
  {
    summary: 'Make a one-time code with which a user sets a new password',
    params: z.object({ id: z.string().meta({ description: 'The id of the user, or the email.' }) }),
    body: noMembers,
    data: z.object({
      user_id: z.string(),
      account_id: z.string(),
      email: z.string(),
      user_status: userWithAccountSchema.shape.status.meta({
        description: 'The code of a `disabled` user is refused until the user is enabled again.',
      }),
      switched_off: z.object({ at: isoTime, by: z.string().nullable() }).nullable().meta({
        description: 'When and by whom a disabled user was disabled, where the audit log tells.',
      }),
      account_status: accountSchema.shape.status.nullable().meta({
        description: 'While it is `suspended` its requests are refused. Null: cannot be told now.',
      }),
      code: z.string().meta({
        description: 'Tell it to the user, for POST /v1/users/reset-password. It is shown once.',
      }),
      expires_at: isoTime,
    }),
    idempotency: { ignored: 'Each code takes the place of the one before, and is shown once.' },
  },
  async (input, services) => {
    const { principal, params, context } = input;
    const { identity } = services;
    const actor = toActor(principal);
    const answer = await identity.startPasswordReset({ actor, userId: params.id }, context.rpc);
    const { id: user_id, account_id, email, status } = toUserOfAccount(required(answer.user));
    const { code, expiresAt: expires_at } = answer;
    // The code is told this once, whatever else can be told.
    const off = { type: 'user', id: user_id, name: email, change: 'disabled' } as const;
    const [account, found] = await Promise.all([
      orUndefined(() => identity.getAccount({ accountId: account_id }, context.rpc)),
      status === 'active' ? [] : orUndefined(() => findSwitchedOff([off], input, services)),
    ]);
    const [switched] = found ?? [];
    return {
      data: {
        user_id,
        account_id,
        email,
        user_status: status,
        switched_off: switched === undefined ? null : { at: switched.at, by: switched.by },
        account_status: account ? toAccount(required(account.account)).status : null,
        code,
        expires_at,
      },
    };
  },
);

export const disableUser = userStatus('Sign a user out and let them in no more', 'DISABLED');
export const enableUser = userStatus('Let a disabled user in again', 'ACTIVE');

/** Keys that a user made act for nobody while the user is disabled. */
function userStatus(summary: string, status: 'ACTIVE' | 'DISABLED') {
  return operation(
    {
      summary,
      params: idParams,
      body: noMembers,
      data: userOfAccountSchema,
      idempotency: SAME_AGAIN,
    },
    async ({ principal, params, context }, { identity }) => {
      const { user } = await identity.setUserStatus(
        { actor: toActor(principal), userId: params.id, status: `USER_STATUS_${status}` },
        context.rpc,
      );
      return { data: toUserOfAccount(required(user)) };
    },
  );
}

export const endUserSessions = operation(
  {
    summary: 'End every session of a user',
    params: idParams,
    body: noMembers,
    data: userOfAccountSchema,
    idempotency: SAME_AGAIN,
  },
  async ({ principal, params, context }, { identity }) => {
    const { user } = await identity.endUserSessions(
      { actor: toActor(principal), userId: params.id },
      context.rpc,
    );
    return { data: toUserOfAccount(required(user)) };
  },
);

export const resetPassword = operation(
  {
    summary: 'Set a new password by a one-time code of an operator',
    body: z.strictObject({
      code: z.string().min(1).max(256),
      new_password: newPassword,
    }),
    rules: { new_password: PASSWORD_RULE },
    data: z.object({ id: z.string(), changed: z.literal(true) }),
    idempotency: { ignored: 'A code works once.' },
  },
  async ({ body, context }, { identity }) => {
    const { remoteAddress } = context;
    const { userId } = await identity.resetPassword(
      { code: body.code, newPassword: body.new_password, remoteAddress },
      context.rpc,
    );
    return { data: { id: userId, changed: true } };
  },
);
