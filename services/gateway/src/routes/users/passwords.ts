import { z } from 'zod';
import { accountSchema, toAccount } from '../accounts/accounts';
import { toActor } from '../asking/actor';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { readSwitchedOff, switchQuestion } from '../audit-log/switched-off';
import { operation, publicOperation } from '../operation';
import { isoTime, noFields } from '../payloads/values';
import {
  newPassword,
  PASSWORD_RULE,
  presentedPassword,
  toUserOfAccount,
  userWithAccountSchema,
} from './user-form';

export const changePassword = operation(
  {
    summary: 'Change the password of the signed-in user',
    body: z.strictObject({ current_password: presentedPassword, new_password: newPassword }),
    rules: { new_password: `${PASSWORD_RULE} or the present password` },
    data: z.object({ changed: z.literal(true) }),
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { userId } = principal;
    const { current_password: currentPassword, new_password: newPassword } = body;
    const { replayed } = await identity.changePassword({
      userId,
      currentPassword,
      newPassword,
      idempotency: context.idempotency,
    });
    return { data: { changed: true }, replayed };
  },
);

/** The code is in this answer and in no other; the present password works until it is used. */
export const startPasswordReset = operation(
  {
    summary: 'Make a one-time code with which a user sets a new password',
    params: z.object({ id: z.string().describe('The id of the user, or the email.') }),
    body: noFields,
    data: z.object({
      user_id: z.string(),
      account_id: z.string(),
      email: z.string(),
      user_status: userWithAccountSchema.shape.status.describe(
        'The code of a `disabled` user is refused until the user is enabled again.',
      ),
      switched_off: z
        .object({ at: isoTime, by: z.string().nullable() })
        .nullable()
        .describe('When and by whom a disabled user was disabled, where the audit log tells.'),
      account_status: accountSchema.shape.status
        .nullable()
        .describe('While it is `suspended` its requests are refused. Null: cannot be told now.'),
      code: z
        .string()
        .describe('Tell it to the user, for POST /v1/users/reset-password. It is shown once.'),
      expires_at: isoTime,
    }),
    idempotency: { ignored: 'Each code takes the place of the one before, and is shown once.' },
  },
  async (input, services) => {
    const { principal, params } = input;
    const { identity } = services;
    const actor = toActor(principal);
    const answer = await identity.startPasswordReset({ actor, userId: params.id });
    const { id: user_id, account_id, email, status } = toUserOfAccount(required(answer.user));
    const { code, expiresAt: expires_at } = answer;
    // The code is told this once, whatever else can be told.
    const person = { id: user_id, name: email };
    const off = status !== 'active' && switchQuestion('user', person, 'disabled');
    const [account, switched] = await Promise.all([
      orUndefined(() => identity.getAccount({ accountId: account_id })),
      readSwitchedOff(off, input, services),
    ]);
    return {
      data: {
        user_id,
        account_id,
        email,
        user_status: status,
        switched_off: switched && { at: switched.at, by: switched.by },
        account_status: account ? toAccount(required(account.account)).status : null,
        code,
        expires_at,
      },
    };
  },
);

export const resetPassword = publicOperation(
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
    const { userId } = await identity.resetPassword({
      code: body.code,
      newPassword: body.new_password,
      remoteAddress,
    });
    return { data: { id: userId, changed: true } };
  },
);
