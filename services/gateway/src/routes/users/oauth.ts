import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { REDIRECT_LENGTH_MAX } from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { publicOperation, type Services } from '../operation';
import {
  cookieField,
  KEEPS_NO_TOKENS,
  moveRefreshTokenToCookie,
  readCookie,
  SESSIONS_HAVE_NO_ENTRY,
  sessionSchema,
  toSession,
} from './sessions';

const COOKIE = 'tollgate_oauth';
/** A login, and its code after that, may take as long. */
const MAX_AGE_S = 660;
const BINDING_BYTES = 24;
const BINDING_LENGTH_MAX = 128;
/** Paths that no browser reads as another origin. */
const LOCAL_PATH = '^/([!-.0-\\[\\]-~][!-\\[\\]-~]*)?$';

export const listOAuthProviders = publicOperation(
  {
    summary: 'List the ways to sign in elsewhere',
    data: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
  },
  async (_input, { identity }) => {
    const { providers } = await identity.listOAuthProviders({});
    return { data: { items: providers.map(({ id, name }) => ({ id, name })) } };
  },
);

/** Browsers are sent on and get a cookie that binds the login to them; programs get the address. */
export const startOAuth = publicOperation(
  {
    summary: 'Start signing in with a provider',
    query: z.strictObject({
      provider: z.string().min(1).max(64).optional(),
      redirect_to: z
        .string()
        .min(1)
        .max(REDIRECT_LENGTH_MAX)
        .optional()
        .meta({ pattern: LOCAL_PATH, description: 'A path of this service.' }),
    }),
    rules: { provider: 'may be left out only where there is exactly one' },
    data: z.object({ authorization_url: z.string(), state: z.string() }),
    redirects: true,
  },
  async ({ query, context }, { identity }) => {
    const { exchange } = context;
    const origin = context.publicOrigin();
    const browser = isBrowser(exchange.request);
    const binding = browser ? randomBytes(BINDING_BYTES).toString('base64url') : '';
    const { authorizationUrl, state } = await identity.startOAuth({
      provider: query.provider ?? (await requireOnlyProvider(identity)),
      redirectTo: query.redirect_to ?? '',
      callbackUrl: `${origin}/v1/oauth/callback`,
      browserBinding: binding,
    });
    if (!browser) return { data: { authorization_url: authorizationUrl, state } };
    exchange.headers['Set-Cookie'] = bindingCookie(binding, origin.startsWith('https:'));
    return { redirect: authorizationUrl };
  },
);

/** Browsers go back to the console with a one-time code; programs get the session. */
export const completeOAuth = publicOperation(
  {
    summary: 'Where providers send people back',
    // Providers add parameters of their own.
    query: z.looseObject({ state: z.string().min(1).max(1024) }),
    data: sessionSchema,
    redirects: true,
  },
  async ({ query, context }, { identity }) => {
    const { exchange } = context;
    const origin = context.publicOrigin();
    const { request } = exchange;
    const browser = isBrowser(request);
    const { session, oneTimeCode, redirectTo } = await identity.completeOAuth({
      callbackUrl: `${origin}${request.url ?? ''}`,
      state: query.state,
      browserBinding: readBinding(request),
      wantCode: browser,
    });
    if (!browser) return { data: toSession(session) };
    const target = new URL(redirectTo === '' ? '/console/' : redirectTo, origin);
    target.searchParams.set('code', oneTimeCode);
    return { redirect: target.href };
  },
);

export const exchangeOAuthCode = publicOperation(
  {
    summary: 'Exchange the one-time code of a sign-in for a session, in the browser that began it',
    body: z.strictObject({ code: z.string().min(1).max(512), cookie: cookieField }),
    data: sessionSchema,
    idempotency: KEEPS_NO_TOKENS,
    withoutAuditEntry: SESSIONS_HAVE_NO_ENTRY,
  },
  async ({ body: { code, cookie }, context: { exchange } }, { identity }) => {
    const browserBinding = readBinding(exchange.request);
    const { session } = await identity.exchangeOAuthCode({ code, browserBinding });
    return { data: moveRefreshTokenToCookie(toSession(session), cookie, exchange) };
  },
);

function isBrowser(request: IncomingMessage): boolean {
  return /\btext\/html\b/.test(request.headers.accept ?? '');
}

/** The only provider: with one there is nothing to choose. */
async function requireOnlyProvider(identity: Services['identity']): Promise<string> {
  const { providers } = await identity.listOAuthProviders({});
  const [first] = providers;
  if (first !== undefined && providers.length === 1) return first.id;
  throw invalidField('provider', 'is required.');
}

/** Ties a login to the browser that began it: the callback and the exchange of the code ask for it. */
function bindingCookie(value: string, secure: boolean): string {
  const attributes = `Max-Age=${MAX_AGE_S}; Path=/; HttpOnly; SameSite=Lax`;
  return `${COOKIE}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** The cookie's content; empty without one. */
function readBinding(request: IncomingMessage): string {
  return readCookie(request, COOKIE, BINDING_LENGTH_MAX) ?? '';
}
