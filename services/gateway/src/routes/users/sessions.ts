import type { IncomingMessage } from 'node:http';
import { AppError, EMAIL_LENGTH_MAX } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import type { HttpExchange } from '../../http/exchange';
import { required } from '../asking/required';
import { publicOperation } from '../operation';
import { named } from '../payloads/values';
import { presentedPassword, toUserWithAccount, userWithAccountSchema } from './user-form';

/** The answer of a login, a refresh and the exchange of a one-time code. */
export const sessionSchema = named('Session', {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  refresh_token: z.string().optional().describe('Absent when it is in the cookie.'),
  user: userWithAccountSchema,
});

const REFRESH_TOKEN_LENGTH_MAX = 1024;
const refreshToken = z.string().min(1).max(REFRESH_TOKEN_LENGTH_MAX);

/** Asked for by pages of this origin: their scripts then never hold the token that lives longest. */
export const cookieField = z
  .boolean()
  .default(false)
  .describe('Keeps the refresh token in a cookie that scripts cannot read.');

/** How every operation that returns a session stands to an Idempotency-Key. */
export const KEEPS_NO_TOKENS = {
  ignored: 'The answer holds tokens, which are not kept to be given out again.',
} as const;

/** Why logins have no entry in the audit log. */
export const SESSIONS_HAVE_NO_ENTRY = 'Sessions are opened, renewed and ended by their holders.';

/** Unknown users and wrong passwords get the same answer in the same time; identity sees to it. */
export const logIn = publicOperation(
  {
    summary: 'Log in with email and password',
    body: z.strictObject({
      email: z.string().min(1).max(EMAIL_LENGTH_MAX),
      password: presentedPassword,
      cookie: cookieField,
    }),
    data: sessionSchema,
    idempotency: KEEPS_NO_TOKENS,
    withoutAuditEntry: SESSIONS_HAVE_NO_ENTRY,
  },
  async ({ body, context }, { identity }) => {
    const { email, password } = body;
    const { remoteAddress } = context;
    const { session } = await identity.login({ email, password, remoteAddress });
    return { data: moveRefreshTokenToCookie(toSession(session), body.cookie, context.exchange) };
  },
);

/** A refresh token works once; using it again ends the session. */
export const refreshSession = publicOperation(
  {
    summary: 'Exchange a refresh token for new tokens of its session',
    body: z.strictObject({ refresh_token: refreshToken.optional(), cookie: cookieField }),
    rules: { refresh_token: 'may be left out only where it is in the cookie' },
    data: sessionSchema,
    idempotency: KEEPS_NO_TOKENS,
    withoutAuditEntry: SESSIONS_HAVE_NO_ENTRY,
  },
  async ({ body, context }, { identity }) => {
    const { exchange } = context;
    const { cookie, refresh_token: presented } = body;
    if (!cookie && presented === undefined) {
      throw invalidField('refresh_token', 'is required.');
    }
    const token = presented ?? readRefreshToken(exchange);
    if (token === undefined) throw new AppError('UNAUTHORIZED');
    const request = { refreshToken: token, cookie: cookie && presented === undefined };
    const { session } = await identity.refreshSession(request);
    return { data: moveRefreshTokenToCookie(toSession(session), cookie, exchange) };
  },
);

export const logOut = publicOperation(
  {
    summary: 'End this session, or all sessions of the user',
    body: z.strictObject({
      all_sessions: z.boolean().default(false),
      refresh_token: refreshToken
        .optional()
        .describe('Names the session in place of an access token, which may be over.'),
      cookie: z
        .boolean()
        .default(false)
        .describe('The session is that of the cookie, which is removed.'),
    }),
    data: z.object({ logged_out: z.literal(true) }),
    idempotency: { ignored: 'A session that has ended ends no second time.' },
    withoutAuditEntry: SESSIONS_HAVE_NO_ENTRY,
  },
  async ({ principal, sessionId, body, context }, { identity }) => {
    const { all_sessions: allSessions, cookie, refresh_token: given } = body;
    const presented = given ?? (cookie ? readRefreshToken(context.exchange) : undefined);
    if (cookie) clearCookie(context.exchange);
    if (presented !== undefined) {
      await identity.logout({ refreshToken: presented, allSessions });
      return { data: { logged_out: true } };
    }
    // The access token is optional here: without both tokens nobody is signed in.
    if (principal === undefined || sessionId === undefined) throw new AppError('UNAUTHORIZED');
    const { userId } = principal;
    await identity.logout({ userId, sessionId: allSessions ? '' : sessionId });
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

const COOKIE = 'tollgate_session';
/** Login, refresh and log-out are below it, and nothing else is sent the token. */
const COOKIE_PATH = '/v1/users';

/** The session as an answer shows it: with `cookie` the refresh token goes another way. */
export function moveRefreshTokenToCookie(
  session: z.infer<typeof sessionSchema>,
  cookie: boolean,
  exchange: HttpExchange,
): z.infer<typeof sessionSchema> {
  if (!cookie) return session;
  const { refresh_token, ...rest } = session;
  setCookie(exchange, refresh_token ?? '');
  return rest;
}

function clearCookie(exchange: HttpExchange): void {
  setCookie(exchange, '', '; Max-Age=0');
}

/** It is gone with the browser's own session. Only who came by plain HTTP gets it without Secure. */
function setCookie({ request, headers }: HttpExchange, value: string, lifetime = ''): void {
  const secure = request.headers.origin?.startsWith('http:') === true ? '' : '; Secure';
  const attributes = `Path=${COOKIE_PATH}; HttpOnly; SameSite=Strict${secure}${lifetime}`;
  headers['Set-Cookie'] = `${COOKIE}=${value}; ${attributes}`;
}

function readRefreshToken({ request }: HttpExchange): string | undefined {
  return readCookie(request, COOKIE, REFRESH_TOKEN_LENGTH_MAX);
}

/** The text of a cookie, of letters, digits, `_` and `-`; undefined without one. */
export function readCookie(
  { headers }: IncomingMessage,
  name: string,
  lengthMax: number,
): string | undefined {
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,${lengthMax}})`);
  return cookie.exec(headers.cookie ?? '')?.[1];
}
