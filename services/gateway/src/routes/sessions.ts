import { AppError } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { operation } from './operation';
import { presentedPassword, toUserWithAccount, userWithAccountSchema } from './users';
import { required } from './values';

/** What a login, a refresh and the exchange of a one-time code answer. */
export const sessionSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  refresh_token: z.string(),
  user: userWithAccountSchema,
});

const refreshToken = z.string().min(1).max(1024);

/** How every operation that answers a session stands to an Idempotency-Key. */
export const KEEPS_NO_TOKENS = {
  ignored: 'The answer holds tokens, which are not kept to be given out again.',
} as const;

/** Why logins have no entry in the audit log. */
export const UNAUDITED_SESSION = 'Sessions are opened, renewed and ended by their holders.';

/** Unknown users and wrong passwords get the same answer in the same time; identity sees to it. */
export const logIn = operation(
  {
    summary: 'Log in with email and password',
    body: z.strictObject({
      email: z.string().min(1).max(254),
      password: presentedPassword,
    }),
    data: sessionSchema,
    idempotency: KEEPS_NO_TOKENS,
    unaudited: UNAUDITED_SESSION,
  },
  async ({ body, context }, { identity }) => {
    const { email, password } = body;
    const { remoteAddress } = context;
    const { session } = await identity.login({ email, password, remoteAddress }, context.rpc);
    return { data: toSession(session) };
  },
);

/** A refresh token works once; using it again ends the session. */
export const refreshSession = operation(
  {
    summary: 'Exchange a refresh token for a new session',
    body: z.strictObject({ refresh_token: refreshToken }),
    data: sessionSchema,
    idempotency: KEEPS_NO_TOKENS,
    unaudited: UNAUDITED_SESSION,
  },
  async ({ body, context }, { identity }) => {
    const request = { refreshToken: body.refresh_token };
    const { session } = await identity.refreshSession(request, context.rpc);
    return { data: toSession(session) };
  },
);

export const logOut = operation(
  {
    summary: 'End this session, or all sessions of the user',
    body: z.strictObject({
      all_sessions: z.boolean().default(false),
      refresh_token: refreshToken
        .optional()
        .meta({ description: 'Names the session in place of an access token, which may be over.' }),
    }),
    data: z.object({ logged_out: z.literal(true) }),
    idempotency: { ignored: 'A session that has ended ends no second time.' },
    unaudited: UNAUDITED_SESSION,
  },
  async ({ principal, sessionId, body, context }, { identity }) => {
    const { all_sessions: allSessions, refresh_token: presented } = body;
    if (presented !== undefined) {
      await identity.logout({ refreshToken: presented, allSessions }, context.rpc);
      return { data: { logged_out: true } };
    }
    // The access token is optional here: without both tokens nobody is signed in.
    if (principal === undefined) throw new AppError('UNAUTHORIZED');
    const { userId } = principal;
    await identity.logout({ userId, sessionId: allSessions ? '' : sessionId }, context.rpc);
    return { data: { logged_out: true } };
  },
);

export function toSession(
  source: identityV1.Session__Output | null,
): z.infer<typeof sessionSchema> {
  const session = required(source);
  return {
    access_token: session.accessToken,
    token_type: 'Bearer',
    expires_in: session.expiresInSeconds,
    refresh_token: session.refreshToken,
    user: toUserWithAccount(required(session.user), required(session.account)),
  };
}
