import { AppError, type Clock } from '@tollgate/core';
import type { Principal } from '../domain/principal';
import type { AccessClaims, AccessTokenVerifier } from './access-token';
import { shapeOf } from './api-key-text';
import { parseBearer } from './bearer';
import type { PrincipalCache } from './principal-cache';
import type { UserDirectory } from './user-directory';

/** Which bearers an endpoint takes: API keys, access tokens, or either. */
export type BearerKind = 'api_key' | 'access_token' | 'any';

/** Who calls, and for access tokens by which session. */
export interface Authenticated {
  readonly principal: Principal;
  /** Empty for API keys. */
  readonly sessionId: string;
}

/** Turns an Authorization header into a principal. Every refusal is one and the same 401. */
export type Authenticate = (
  header: string | undefined,
  accepts: BearerKind,
) => Authenticated | Promise<Authenticated>;

export interface AuthenticateOptions {
  readonly keys: PrincipalCache;
  readonly tokens: AccessTokenVerifier;
  readonly users: UserDirectory;
  readonly clock: Clock;
}

/** Combines the key cache with the token verifier; expiry is checked on every use. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { keys, tokens, users, clock } = options;

  const byKey = (secret: string): Authenticated | Promise<Authenticated> => {
    const principal = keys.resolve(secret);
    if (principal instanceof Promise) return principal.then((known) => alive(known, clock));
    return alive(principal, clock);
  };
  const byToken = async (token: string): Promise<Authenticated> => {
    const claims: AccessClaims = await tokens.verify(token);
    return { principal: await users.principalOf(claims.userId), sessionId: claims.sessionId };
  };

  return (header, accepts) => {
    const bearer = parseBearer(header);
    if (bearer === undefined) throw new AppError('UNAUTHORIZED');
    const shape = shapeOf(bearer);
    switch (shape) {
      case 'broken_api_key':
        throw new AppError('UNAUTHORIZED');
      case 'access_token':
        if (accepts === 'api_key') throw new AppError('UNAUTHORIZED');
        return byToken(bearer);
      default:
        if (accepts === 'access_token') throw new AppError('UNAUTHORIZED');
        return byKey(bearer);
    }
  };
}

function alive(principal: Principal, clock: Clock): Authenticated {
  const { expiresAtMs } = principal;
  if (expiresAtMs !== undefined && expiresAtMs <= clock.now()) throw new AppError('UNAUTHORIZED');
  return { principal, sessionId: '' };
}
