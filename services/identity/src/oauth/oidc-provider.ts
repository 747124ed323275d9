import { type Clock, HOUR_MS } from '@tollgate/core';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import { loginRefused, type OAuthProfile, providerFailure } from '../domain/oauth';
import type { AuthorizationRequest, OAuthProvider } from '../domain/ports';
import type { createEgressFetch } from './egress-fetch';
import type { OidcSettings } from './oauth-settings';

/** How long a provider's discovery document is used, milliseconds. */
const DISCOVERY_LIFETIME_MS = HOUR_MS;
/** What OpenID Connect allows as a subject. An empty one would be everybody's who comes with it. */
const SUBJECT = /^[\u0020-\u007e]{1,255}$/;
const SCOPE = 'openid email profile';

interface Discovered {
  readonly untilMonotonicMs: number;
  readonly configuration: Configuration;
}

/**
 * A provider with OpenID Connect discovery: code flow, PKCE S256, state and nonce.
 *
 * @public adapters.ts requires this file only where such a provider is configured.
 */
export function createOidcProvider(
  settings: OidcSettings,
  fetch: ReturnType<typeof createEgressFetch>,
  clock: Clock,
): OAuthProvider {
  const issuer = new URL(settings.issuer);
  let discovered: Discovered | undefined;

  const configuration = async (): Promise<Configuration> => {
    const monotonicNowMs = clock.monotonicMs();
    if (discovered !== undefined && monotonicNowMs < discovered.untilMonotonicMs) {
      return discovered.configuration;
    }
    const { clientId, clientSecret } = settings;
    const found = await discovery(issuer, clientId, clientSecret, undefined, {
      [customFetch]: fetch as CustomFetch,
      // An http issuer is for closed networks; egress decides whether its address may be reached.
      ...(issuer.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}),
    }).catch((error: unknown) => {
      throw providerFailure(error);
    });
    const untilMonotonicMs = monotonicNowMs + DISCOVERY_LIFETIME_MS;
    discovered = { untilMonotonicMs, configuration: found };
    return found;
  };

  return {
    id: settings.id,
    name: settings.name,
    async authorizationUrl(request) {
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: request.redirectUri,
        scope: SCOPE,
        state: request.state,
        nonce: request.nonce,
        code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async complete(callbackUrl, request) {
      const config = await configuration();
      const tokens = await grant(config, callbackUrl, request);
      const claims = tokens.claims();
      if (claims === undefined) throw loginRefused();
      if (!SUBJECT.test(claims.sub)) throw loginRefused(new Error('the ID token has no valid sub'));
      // Providers may leave the email out of the ID token; the user info has it then.
      const details =
        claims.email === undefined
          ? await fetchUserInfo(config, tokens.access_token, claims.sub).catch((error) => {
              throw providerFailure(error);
            })
          : claims;
      return toProfile(settings.issuer, claims.sub, details);
    },
  };
}

async function grant(config: Configuration, callbackUrl: string, request: AuthorizationRequest) {
  try {
    return await authorizationCodeGrant(config, new URL(callbackUrl), {
      expectedState: request.state,
      expectedNonce: request.nonce,
      pkceCodeVerifier: request.codeVerifier,
      idTokenExpected: true,
    });
  } catch (error) {
    if (error instanceof AuthorizationResponseError) throw loginRefused(error);
    // With these codes the library refuses a code or an ID token; the provider itself answered.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw code.startsWith('OAUTH_') ? loginRefused(error) : providerFailure(error);
  }
}

function toProfile(
  issuer: string,
  subject: string,
  details: { readonly [claim: string]: unknown },
): OAuthProfile {
  const { email, name } = details;
  const verified = details.email_verified === true && typeof email === 'string';
  return {
    issuer,
    subject,
    verifiedEmail: verified ? email : undefined,
    displayName: typeof name === 'string' ? name : '',
  };
}
