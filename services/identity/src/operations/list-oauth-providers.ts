import type { Dependencies } from './dependencies';

export interface OAuthProviderName {
  readonly id: string;
  readonly name: string;
}

/** The outside logins that configuration offers. */
export function createListOAuthProviders(deps: Pick<Dependencies, 'providers'>) {
  return async (): Promise<readonly OAuthProviderName[]> =>
    deps.providers.map(({ id, name }) => ({ id, name }));
}
