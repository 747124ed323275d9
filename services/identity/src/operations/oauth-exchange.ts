import { AppError } from '@tollgate/core';
import type { KeyDigester } from '../domain/key-digest';
import type { OAuthExchange, OAuthProvider } from '../domain/ports';

/**
 * The secrets of a login at a provider, derived from its state under the pepper: the store holds
 * the state's digest only, so that a copy of the store completes no login.
 */
export function exchangeOf(
  digester: KeyDigester,
  state: string,
  redirectUri: string,
): OAuthExchange {
  return {
    redirectUri,
    state,
    codeVerifier: digester.derive('oauth-code-verifier', state),
    nonce: digester.derive('oauth-nonce', state),
  };
}

export function requireProvider(providers: readonly OAuthProvider[], id: string): OAuthProvider {
  const provider = providers.find((candidate) => candidate.id === id);
  if (provider === undefined) {
    throw new AppError('NOT_FOUND', {
      param: 'provider',
      publicMessage: 'This login provider does not exist.',
    });
  }
  return provider;
}
