import { createHash } from 'node:crypto';
import type { OAuthProfile } from '../domain/oauth';
import type { OAuthProvider } from '../domain/ports';
import type { createEgressFetch } from './egress-fetch';
import { loginRefused, providerFailure } from './oauth-failure';
import type { GithubSettings } from './oauth-settings';

const SCOPE = 'read:user user:email';
const USER_AGENT = 'tollgate';

/** GitHub's OAuth: no ID token, so that the profile and the addresses are asked for. */
export function createGithubProvider(
  settings: GithubSettings,
  fetch: ReturnType<typeof createEgressFetch>,
): OAuthProvider {
  const { webUrl, apiUrl, clientId, clientSecret } = settings;

  const askJson = async (
    url: URL,
    init: { method?: string; headers: Record<string, string>; body?: URLSearchParams },
  ): Promise<unknown> => {
    const response = await fetch(url.href, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...init.headers },
    }).catch((error: unknown) => {
      throw providerFailure(error);
    });
    if (!response.ok) throw providerFailure(new Error(`${url.pathname}: ${response.status}`));
    return response.json().catch((error: unknown) => {
      throw providerFailure(error);
    });
  };

  const exchangeCode = async (
    code: string,
    codeVerifier: string,
    redirectUri: string,
  ): Promise<string> => {
    const answer = await askJson(new URL('login/oauth/access_token', webUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      }),
    });
    // A code that does not fit is answered with 200 and an error member.
    const token = member(answer, 'access_token');
    if (typeof token !== 'string') throw loginRefused();
    return token;
  };

  return {
    id: settings.id,
    name: settings.name,
    async authorizationUrl({ redirectUri, state, codeVerifier }) {
      const url = new URL('login/oauth/authorize', webUrl);
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    async complete(callbackUrl, exchange): Promise<OAuthProfile> {
      const query = new URL(callbackUrl).searchParams;
      const code = query.get('code');
      if (code === null || query.get('state') !== exchange.state) throw loginRefused();
      const token = await exchangeCode(code, exchange.codeVerifier, exchange.redirectUri);
      const headers = { authorization: `Bearer ${token}` };
      const [user, emails] = await Promise.all([
        askJson(apiPath(apiUrl, 'user'), { headers }),
        askJson(apiPath(apiUrl, 'user/emails'), { headers }),
      ]);
      const id = member(user, 'id');
      if (typeof id !== 'number') throw providerFailure(new Error('the profile has no id'));
      const name = member(user, 'name') ?? member(user, 'login');
      return {
        issuer: new URL(webUrl).origin,
        subject: String(id),
        verifiedEmail: primaryEmail(emails),
        displayName: typeof name === 'string' ? name : '',
      };
    },
  };
}

/** The on-premises edition has its API under a path, which a relative address must not drop. */
function apiPath(apiUrl: string, path: string): URL {
  return new URL(path, apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
}

function primaryEmail(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) return undefined;
  const primary: unknown = emails.find(
    (entry: unknown) => member(entry, 'primary') === true && member(entry, 'verified') === true,
  );
  const email = member(primary, 'email');
  return typeof email === 'string' ? email : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
