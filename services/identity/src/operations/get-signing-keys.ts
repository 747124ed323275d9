import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '../domain/access-token';
import type { PublicSigningKey } from '../domain/ports';
import type { Dependencies } from './dependencies';

export interface SigningKeys {
  readonly keys: readonly PublicSigningKey[];
  readonly issuer: string;
  readonly audience: string;
}

/** What gateways verify access tokens with; includes the key that comes next. */
export function createGetSigningKeys(deps: Pick<Dependencies, 'tokens'>) {
  return async (): Promise<SigningKeys> => ({
    keys: deps.tokens.publicKeys(),
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
  });
}
