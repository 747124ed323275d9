import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '../domain/access-token';
import type { PublicSigningKey } from '../domain/ports';
import type { Dependencies } from './dependencies';

export interface SigningKeys {
  readonly keys: readonly PublicSigningKey[];
  readonly issuer: string;
  readonly audience: string;
}

export function createSigningKeyOperations({ tokens }: Pick<Dependencies, 'tokens'>) {
  return {
    /** The keys that gateways verify access tokens with, with the one that comes next. */
    getSigningKeys: async (): Promise<SigningKeys> => ({
      keys: tokens.publicKeys(),
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
    }),
  };
}
