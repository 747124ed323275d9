import { sha256Hex } from '../domain/key-digest';
import { OAUTH_STATE_LIFETIME_MS, parseCallbackUrl, parseRedirectTo } from '../domain/oauth';
import type { Dependencies } from './dependencies';
import { exchangeOf, requireProvider } from './oauth-exchange';

export interface StartOAuthInput {
  readonly provider: string;
  readonly redirectTo: string;
  readonly callbackUrl: string;
  /** What ties the login to one browser; empty for JSON callers. */
  readonly browserBinding: string;
}

export interface StartedOAuth {
  readonly authorizationUrl: string;
  readonly state: string;
}

const STATE_BYTES = 32;

/** Begins a login at a provider; the answer's address is where the browser goes. */
export function createStartOAuth(
  deps: Pick<Dependencies, 'clock' | 'random' | 'digester' | 'oauth' | 'providers'>,
) {
  return async (input: StartOAuthInput): Promise<StartedOAuth> => {
    const provider = requireProvider(deps.providers, input.provider);
    const redirectTo = parseRedirectTo(input.redirectTo);
    const callbackUrl = parseCallbackUrl(input.callbackUrl);
    const state = deps.random(STATE_BYTES).toString('base64url');
    const exchange = exchangeOf(deps.digester, state, callbackUrl);
    const authorizationUrl = await provider.authorizationUrl(exchange);
    await deps.oauth.insertState({
      digest: sha256Hex(state),
      providerId: provider.id,
      redirectTo,
      callbackUrl,
      bindingDigest: input.browserBinding === '' ? '' : sha256Hex(input.browserBinding),
      expiresAt: deps.clock.now() + OAUTH_STATE_LIFETIME_MS,
    });
    return { authorizationUrl, state };
  };
}
