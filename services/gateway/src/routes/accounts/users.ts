import { EMAIL_LENGTH_MAX, PASSWORD_BYTES_MAX, PASSWORD_LENGTH_MIN } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toAccountRole } from '../../clients/from-proto';
import { PROTO_ROLES, toActor } from '../actor';
import { operation } from '../operation';
import {
  deletedSchema,
  displayText,
  idParams,
  isoTime,
  named,
  PAGE_RULES,
  pageQuery,
  pageSchemaOf,
  required,
  toDeleted,
  toPageAnswer,
} from '../values';

const role = z.enum(['owner', 'admin', 'member', 'operator']);

/** A user of an account. */
export const userSchema = named('User', {
  id: z.string(),
  email: z.string(),
  display_name: z.string(),
  role,
  status: z.enum(['active', 'disabled']),
  must_change_password: z.boolean().meta({
    description:
      'Somebody else set the password: a session may read GET /v1/users/me and change it, no more.',
  }),
  created_at: isoTime,
});

/** A user beside the account it belongs to. */
export const userWithAccountSchema = named('UserWithAccount', {
  ...userSchema.shape,
  account: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
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
export const personSchema = z.strictObject({
  email: z.string().min(3).max(EMAIL_LENGTH_MAX).meta({
    pattern: EMAIL,
    description: 'Not case-sensitive. Letters beyond ASCII must be in their NFKC form.',
  }),
  password: newPassword,
  display_name: displayText
    .optional()
    .meta({ description: 'What stands before the at sign when absent.' }),
  must_change_password: z.boolean().default(false).meta({
    description: 'The password is a first one: until it is changed it opens nothing else.',
  }),
});
const memberRole = z.enum(['owner', 'admin', 'member']);

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
    body: personSchema.extend({ role: memberRole.default('member') }),
    rules: { password: PASSWORD_RULE },
    data: userSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { user, replayed } = await identity.addMember(
      {
        actor: toActor(principal),
        ...toPerson(body),
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

/** Admins change no owner, and the last owner who can sign in stays one. */
export const memberChanges = z.strictObject({
  role: memberRole.optional(),
  display_name: displayText.optional(),
});

export const updateMember = operation(
  {
    summary: 'Change the role or the name of a member',
    params: idParams,
    body: memberChanges,
    data: userSchema,
  },
  async ({ principal, params, body, context }, { identity }) => {
    const asked = { actor: toActor(principal), userId: params.id, ...toMemberChanges(body) };
    const { user } = await identity.updateMember(asked, context.rpc);
    return { data: toUser(required(user)) };
  },
);

/** What is absent of a member stays as it is. */
export function toMemberChanges({
  role: asRole,
  display_name: displayName,
}: z.output<typeof memberChanges>): Pick<identityV1.UpdateMemberRequest, 'displayName' | 'role'> {
  return {
    ...(asRole === undefined ? {} : { role: PROTO_ROLES[asRole] }),
    ...(displayName === undefined ? {} : { displayName }),
  };
}

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

export const listUsers = operation(
  {
    summary: 'List users, of one account or of all',
    query: pageQuery.extend({
      account_id: z.string().min(1).max(128).optional(),
      email: z
        .string()
        .min(1)
        .max(EMAIL_LENGTH_MAX)
        .optional()
        .meta({
          description:
            'How the email begins, in any case; the list is in the order of emails then, and newest ' +
            'first otherwise.',
        }),
    }),
    rules: PAGE_RULES,
    data: pageSchemaOf(userSchema.extend({ account_id: z.string() })),
  },
  async ({ principal, query, context }, { identity }) => {
    const { limit, cursor = '', account_id: accountId = '', email = '' } = query;
    const { users, nextCursor } = await identity.listUsers(
      { actor: toActor(principal), accountId, email, limit, cursor },
      context.rpc,
    );
    const items = users.map((user) => ({ ...toUser(user), account_id: user.accountId }));
    return { data: toPageAnswer(items, nextCursor) };
  },
);

export const createUser = operation(
  {
    summary: 'Create a user in an account, or with a new account',
    body: personSchema.extend({
      account_id: z.string().min(1).max(128).optional(),
      role: memberRole.optional(),
    }),
    rules: { password: PASSWORD_RULE },
    data: userWithAccountSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { user, account, replayed } = await identity.createUser(
      {
        actor: toActor(principal),
        ...toPerson(body),
        accountId: body.account_id ?? '',
        role: body.role === undefined ? 'ROLE_UNSPECIFIED' : PROTO_ROLES[body.role],
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUserWithAccount(required(user), required(account)), replayed };
  },
);

/** Identity refuses with FORBIDDEN while registration is closed. */
export const registerUser = operation(
  {
    summary: 'Register, where the operator has opened registration',
    body: personSchema,
    rules: { password: PASSWORD_RULE },
    data: userWithAccountSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ body, context }, { identity }) => {
    const { user, account, replayed } = await identity.createUser(
      {
        ...toPerson(body),
        registration: true,
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUserWithAccount(required(user), required(account)), replayed };
  },
);

export const getCurrentUser = operation(
  {
    summary: 'Get the signed-in user',
    data: userWithAccountSchema,
  },
  async ({ principal, context }, { identity }) => {
    const { user, account } = await identity.getUser({ userId: principal.userId }, context.rpc);
    return { data: toUserWithAccount(required(user), required(account)) };
  },
);

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
    const { replayed } = await identity.changePassword(
      { userId, currentPassword, newPassword, idempotency: context.idempotency },
      context.rpc,
    );
    return { data: { changed: true }, replayed };
  },
);

/** The person as identity takes it. */
export function toPerson(person: z.infer<typeof personSchema>) {
  const { email, password, display_name: displayName = '', must_change_password } = person;
  return { email, password, displayName, mustChangePassword: must_change_password };
}

export function toUser(user: identityV1.User__Output): z.infer<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    display_name: user.displayName,
    role: user.role === 'ROLE_OPERATOR' ? 'operator' : toAccountRole(user.role),
    status: user.status === 'USER_STATUS_ACTIVE' ? 'active' : 'disabled',
    must_change_password: user.mustChangePassword,
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
