import { createHash } from 'node:crypto';
import { isObject } from '@tollgate/core';
import { loginRefused, type OAuthProfile, providerFailure } from '../domain/oauth';
import type { AuthorizationRequest, OAuthProvider } from '../domain/ports';
import type { createEgressFetch } from './egress-fetch';
import type { GithubSettings } from './oauth-settings';

const SCOPE = 'read:user user:email';
const USER_AGENT = 'tollgate';

/** GitHub's OAuth: no ID token, so that the profile and the emails are asked for. */
export function createGithubProvider(
  settings: GithubSettings,
  fetch: ReturnType<typeof createEgressFetch>,
): OAuthProvider {
  const api = createGithubApi(settings, fetch);
  return {
    id: settings.id,
    name: settings.name,
    async authorizationUrl({ redirectUri, state, codeVerifier }) {
      const url = new URL('login/oauth/authorize', settings.webUrl);
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      url.search = new URLSearchParams({
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    async complete(callbackUrl, request): Promise<OAuthProfile> {
      const query = new URL(callbackUrl).searchParams;
      const code = query.get('code');
      if (code === null || query.get('state') !== request.state) throw loginRefused();
      const token = await api.exchangeCode(code, request);
      const [user, emails] = await Promise.all([
        api.read('user', token),
        api.read('user/emails', token),
      ]);
      const id = fieldOf(user, 'id');
      // Beyond the safe integers two ids are read as one: one person would be the other.
      if (!(Number.isSafeInteger(id) && Number(id) > 0)) {
        throw providerFailure(new Error('the profile has no valid id'));
      }
      const name = fieldOf(user, 'name') ?? fieldOf(user, 'login');
      return {
        issuer: new URL(settings.webUrl).origin,
        subject: String(id),
        verifiedEmail: primaryEmail(emails),
        displayName: typeof name === 'string' ? name : '',
      };
    },
  };
}

function createGithubApi(settings: GithubSettings, fetch: ReturnType<typeof createEgressFetch>) {
  const askJson = async (
    url: URL,
    init: { method?: string; headers: Record<string, string>; body?: URLSearchParams },
  ): Promise<unknown> => {
    const headers = { accept: 'application/json', 'user-agent': USER_AGENT, ...init.headers };
    try {
      const response = await fetch(url.href, { ...init, headers });
      if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
      return await response.json();
    } catch (error) {
      throw providerFailure(error);
    }
  };
  // The on-premises edition has its API under a path, which a relative address must not drop.
  const apiUrl = settings.apiUrl.endsWith('/') ? settings.apiUrl : `${settings.apiUrl}/`;
  return {
    read: (path: string, token: string) =>
      askJson(new URL(path, apiUrl), { headers: { authorization: `Bearer ${token}` } }),
    async exchangeCode(code: string, request: AuthorizationRequest): Promise<string> {
      const answer = await askJson(new URL('login/oauth/access_token', settings.webUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: settings.clientId,
          client_secret: settings.clientSecret,
          code,
          code_verifier: request.codeVerifier,
          redirect_uri: request.redirectUri,
        }),
      });
      // A code that does not fit is answered with 200 and an error field.
      const token = fieldOf(answer, 'access_token');
      if (typeof token !== 'string') throw loginRefused();
      return token;
    },
  };
}

function primaryEmail(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) return undefined;
  const primary: unknown = emails.find(
    (entry: unknown) => fieldOf(entry, 'primary') === true && fieldOf(entry, 'verified') === true,
  );
  const email = fieldOf(primary, 'email');
  return typeof email === 'string' ? email : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
