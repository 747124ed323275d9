import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { displayText, isoTime, owed } from './values';

const role = z.enum(['owner', 'admin', 'member', 'operator']);

/** A user of an account. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  display_name: z.string(),
  role,
  status: z.enum(['active', 'disabled']),
  created_at: isoTime,
});

/** A user beside the account it belongs to. */
export const userWithAccountSchema = userSchema.extend({
  account: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
});

/** What login and refresh answer. */
export const sessionSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  refresh_token: z.string(),
  user: userWithAccountSchema,
});

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_BYTES_MAX = 1024;

/** A password that is presented: whether it is one is for identity to say. */
export const presentedPassword = z.string().min(1).max(PASSWORD_BYTES_MAX);

/** A refresh token that is presented, likewise. */
export const presentedRefreshToken = z.string().min(1).max(1024);

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
    maxLength: PASSWORD_BYTES_MAX,
    description: `At most ${PASSWORD_BYTES_MAX} bytes in UTF-8.`,
  });

/** Somebody who does not exist yet. */
export const personSchema = z.strictObject({
  email: z.string().min(3).max(254),
  password: newPassword,
  display_name: displayText
    .optional()
    .meta({ description: 'What stands before the at sign when absent.' }),
});
export const memberRole = z.enum(['owner', 'admin', 'member']);

/** The person as identity takes it. */
export function toPerson({ email, password, display_name }: z.infer<typeof personSchema>) {
  return { email, password, displayName: display_name ?? '' };
}

const ROLES = { owner: 'ROLE_OWNER', admin: 'ROLE_ADMIN', member: 'ROLE_MEMBER' } as const;

/** The role as identity takes it. */
export function toRole(value: z.infer<typeof memberRole>): (typeof ROLES)[typeof value] {
  return ROLES[value];
}

function fromRole(value: identityV1.Role__Output): z.infer<typeof role> {
  switch (value) {
    case 'ROLE_OPERATOR':
      return 'operator';
    case 'ROLE_OWNER':
      return 'owner';
    case 'ROLE_ADMIN':
      return 'admin';
    default:
      return 'member';
  }
}

export function toUser(user: identityV1.User__Output): z.infer<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    display_name: user.displayName,
    role: fromRole(user.role),
    status: user.status === 'USER_STATUS_ACTIVE' ? 'active' : 'disabled',
    created_at: user.createdAt,
  };
}

export function toUserWithAccount(
  user: identityV1.User__Output,
  account: identityV1.Account__Output,
): z.infer<typeof userWithAccountSchema> {
  const { id, name, plan } = account;
  return { ...toUser(user), account: { id, name, plan } };
}

export function toSession(
  source: identityV1.Session__Output | null,
): z.infer<typeof sessionSchema> {
  const session = owed(source);
  return {
    access_token: session.accessToken,
    token_type: 'Bearer',
    expires_in: session.expiresInSeconds,
    refresh_token: session.refreshToken,
    user: toUserWithAccount(owed(session.user), owed(session.account)),
  };
}
