import { AppError } from '@tollgate/core';
import { equalText, sha256Hex } from '../domain/key-digest';
import { OAUTH_CODE_LIFETIME_MS, type OAuthState } from '../domain/oauth';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';
import { exchangeOf, requireProvider } from './oauth-exchange';
import { openSession, type SessionGrant } from './open-session';
import { resolveOAuthUser } from './resolve-oauth-user';

export interface CompleteOAuthInput {
  /** The whole address as the browser asked for it. */
  readonly callbackUrl: string;
  readonly state: string;
  readonly browserBinding: string;
  /** A browser gets a one-time code in place of the tokens. */
  readonly wantCode: boolean;
}

export interface CompletedOAuth {
  readonly session: SessionGrant | undefined;
  readonly oneTimeCode: string;
  readonly redirectTo: string;
}

const CODE_BYTES = 32;

/** Ends a login at a provider. The state works once, whatever comes of it. */
export function createCompleteOAuth(
  deps: Pick<
    Dependencies,
    | 'clock'
    | 'logger'
    | 'random'
    | 'digester'
    | 'accounts'
    | 'users'
    | 'keys'
    | 'quotas'
    | 'relay'
    | 'sessions'
    | 'refreshTokens'
    | 'tokens'
    | 'oauth'
    | 'providers'
    | 'registrationOpen'
  >,
) {
  const { clock, digester, oauth, providers } = deps;

  const oneTimeCode = async (user: User): Promise<string> => {
    const code = deps.random(CODE_BYTES).toString('base64url');
    const expiresAt = clock.now() + OAUTH_CODE_LIFETIME_MS;
    await oauth.insertCode({ digest: sha256Hex(code), userId: user.id, expiresAt });
    return code;
  };

  return async (input: CompleteOAuthInput): Promise<CompletedOAuth> => {
    const state = await oauth.takeState(sha256Hex(input.state));
    if (state === undefined || !isUsable(state, input, clock.now())) throw refused();
    const provider = requireProvider(providers, state.providerId);
    const exchange = exchangeOf(digester, input.state, state.callbackUrl);
    // The gateway may see itself under another name than the browser: only the query is taken.
    const answer = new URL(state.callbackUrl);
    answer.search = URL.parse(input.callbackUrl, state.callbackUrl)?.search ?? '';
    const profile = await provider.complete(answer.href, exchange);
    const user = await resolveOAuthUser(deps, profile);
    const { redirectTo } = state;
    if (input.wantCode) {
      return { session: undefined, oneTimeCode: await oneTimeCode(user), redirectTo };
    }
    return { session: await openSession(deps, user), oneTimeCode: '', redirectTo };
  };
}

/**
 * The browser that started is the browser that ends. A login without a binding was started by a
 * program and is never finished for a browser: that would let one person log another in as himself.
 */
function isUsable(state: OAuthState, input: CompleteOAuthInput, now: number): boolean {
  const presented = input.browserBinding === '' ? '' : sha256Hex(input.browserBinding);
  const bound = equalText(state.bindingDigest, presented);
  const browserNeedsBinding = input.wantCode && state.bindingDigest === '';
  return state.expiresAt > now && bound && !browserNeedsBinding;
}

function refused(): AppError {
  return new AppError('UNAUTHORIZED', {
    publicMessage: 'This login has expired or was not started here. Please start again.',
  });
}
