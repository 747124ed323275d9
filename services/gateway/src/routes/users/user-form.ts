import {
  EMAIL_LENGTH_MAX,
  PASSWORD_BYTES_MAX,
  PASSWORD_LENGTH_MIN,
  withoutUndefined,
} from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { toProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { toAccountRole } from '../../clients/from-proto';
import { answerOf } from '../payloads/answer-of';
import { displayText, isoTime, named } from '../payloads/values';

const role = z.enum(['owner', 'admin', 'member', 'operator']);

/** A user of an account. */
export const userSchema = named('User', {
  id: z.string(),
  email: z.string(),
  display_name: z.string(),
  role,
  status: z.enum(['active', 'disabled']),
  must_change_password: z
    .boolean()
    .describe(
      'Somebody else set the password: a session may read GET /v1/users/me and change it, no more.',
    ),
  created_at: isoTime,
});

/** A user beside the account it belongs to. */
export const userWithAccountSchema = named('UserWithAccount', {
  ...userSchema.shape,
  account: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
});

/** A user and the id of its account. */
export const userOfAccountSchema = named('UserOfAccount', {
  ...userSchema.shape,
  account_id: z.string(),
});

/** Any text may be presented as a password: identity says whether it is the right one. */
export const presentedPassword = z.string().min(1).max(PASSWORD_BYTES_MAX);

/** A password that is set. Characters and bytes are counted, as identity does. */
export const newPassword = z
  .string()
  .refine(
    (text) => [...text].length >= PASSWORD_LENGTH_MIN,
    `must have at least ${PASSWORD_LENGTH_MIN} characters.`,
  )
  .refine(
    (text) => Buffer.byteLength(text) <= PASSWORD_BYTES_MAX,
    `must have at most ${PASSWORD_BYTES_MAX} bytes.`,
  )
  .meta({
    minLength: PASSWORD_LENGTH_MIN,
    // Characters beyond the basic plane are one here and two in a length.
    pattern: `^[\\s\\S]{${PASSWORD_LENGTH_MIN},}$`,
    maxLength: PASSWORD_BYTES_MAX,
    description: `At most ${PASSWORD_BYTES_MAX} bytes in UTF-8.`,
  });

/** The addresses that are surely taken: normalising changes nothing of them but the case. */
const EMAIL = "^[!#-'*+\\-./0-9=?A-Z^_`a-z{|}~]{1,64}@[!#-'*+\\-./0-9=?A-Z^_`a-z{|}~]{1,189}$";

/** The rules of a new password that no schema can say. */
export const PASSWORD_RULE =
  `has at most ${PASSWORD_BYTES_MAX} bytes in UTF-8, three different characters, and is not the ` +
  'email';

/** A user to be created. */
export const newUserSchema = z.strictObject({
  email: z.string().min(3).max(EMAIL_LENGTH_MAX).meta({
    pattern: EMAIL,
    description: 'Not case-sensitive. Letters beyond ASCII must be in their NFKC form.',
  }),
  password: newPassword,
  display_name: displayText.optional().describe('What stands before the at sign when absent.'),
  must_change_password: z
    .boolean()
    .default(false)
    .describe('The password is a first one: until it is changed it opens nothing else.'),
});

/** What a person may be in an account. */
export const memberRole = z.enum(['owner', 'admin', 'member']);

/** The new user as identity takes it. */
export function toNewUser(user: z.infer<typeof newUserSchema>) {
  const { email, password, display_name: displayName = '', must_change_password } = user;
  return { email, password, displayName, mustChangePassword: must_change_password };
}

/** Admins change no owner, and the last owner who can sign in stays one. */
export const userChanges = z.strictObject({
  role: memberRole.optional(),
  display_name: displayText.optional(),
});

/** What is absent stays as it is. */
export function toUserChanges({ role: asRole, display_name }: z.output<typeof userChanges>) {
  return withoutUndefined({
    role: asRole && toProtoName('ROLE', asRole),
    displayName: display_name,
  });
}

export function toUser(user: identityV1.User__Output): z.infer<typeof userSchema> {
  return answerOf(userSchema, user, {
    role: user.role === 'ROLE_OPERATOR' ? 'operator' : toAccountRole(user.role),
    status: user.status === 'USER_STATUS_ACTIVE' ? 'active' : 'disabled',
  });
}

export function toUserWithAccount(
  user: identityV1.User__Output,
  account: identityV1.Account__Output,
): z.infer<typeof userWithAccountSchema> {
  const { id, name, plan } = account;
  return { ...toUser(user), account: { id, name, plan } };
}

export function toUserOfAccount(
  user: identityV1.User__Output,
): z.infer<typeof userOfAccountSchema> {
  return { ...toUser(user), account_id: user.accountId };
}
