import type { Clock } from '@tollgate/core';
import type { AccessClaims, AccessTokenVerifier } from './access-token';
import { BearerRefusedError, bearerShapeOf, parseBearer, refusalOfBearer } from './bearer';
import type { KeyUses } from './key-uses';
import type { Principal } from './principal';
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

/**
 * Turns an Authorization header into a principal. Every refusal is one and the same 401. With its
 * `connection` given, a header that came on it before is not read again.
 */
export type Authenticate = (
  header: string | undefined,
  accepts: BearerKind,
  connection?: object,
) => Authenticated | Promise<Authenticated>;

/** The last header with a key on one connection. It goes with the connection, and the key with it. */
interface KnownKey {
  readonly header: string;
  readonly secret: string;
  readonly digest: string;
}

export interface AuthenticateOptions {
  readonly keys: PrincipalCache;
  readonly tokens: AccessTokenVerifier;
  readonly users: UserDirectory;
  readonly uses: Pick<KeyUses, 'note'>;
  readonly clock: Clock;
}

/** Combines the key cache with the token verifier; expiry is checked on every use. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { keys, tokens, users, clock } = options;
  const known = new WeakMap<object, KnownKey>();

  const admit = (principal: Principal): Authenticated => {
    const now = clock.now();
    const { accountId, expiresAtMs, keyId } = principal;
    if (expiresAtMs !== undefined && expiresAtMs <= now) {
      throw new BearerRefusedError({ fault: 'expired', presented: '', accountId, keyId });
    }
    options.uses.note(principal.keyId, now);
    return { principal, sessionId: '' };
  };
  const byKey = ({ secret, digest }: KnownKey): Authenticated | Promise<Authenticated> => {
    const principal = keys.resolve(secret, digest);
    if (principal instanceof Promise) return principal.then(admit);
    return admit(principal);
  };
  const byToken = async (token: string): Promise<Authenticated> => {
    const claims: AccessClaims = await tokens.verify(token);
    const { userId, sessionId } = claims;
    return { principal: await users.principalOf(userId, sessionId), sessionId };
  };
  /** Its signature tells whose token it is, though an API key is wanted. */
  const throwForToken = async (token: string): Promise<never> => {
    let claims: AccessClaims;
    try {
      claims = await tokens.verify(token);
    } catch {
      throw refusalOfBearer('session');
    }
    const slip = 'The access token of a signed-in person was sent in place of an API key.';
    const presented = claims.userId;
    throw new BearerRefusedError({ fault: 'session', presented, accountId: '', keyId: '', slip });
  };

  return (header, accepts, connection) => {
    const before = connection === undefined ? undefined : known.get(connection);
    if (before !== undefined && before.header === header && accepts !== 'access_token') {
      return byKey(before);
    }
    const bearer = parseBearer(header);
    if (header === undefined) throw refusalOfBearer('missing');
    if (bearer === undefined) throw refusalOfBearer('malformed', header);
    const shape = bearerShapeOf(bearer);
    switch (shape) {
      case 'broken_api_key':
        throw refusalOfBearer('malformed', header);
      case 'access_token':
        if (accepts === 'api_key') return throwForToken(bearer);
        return byToken(bearer);
      default:
        if (accepts === 'access_token') throw refusalOfBearer('session');
        break;
    }
    const key = { header, secret: bearer, digest: keys.digestOf(bearer) };
    if (connection !== undefined) known.set(connection, key);
    return byKey(key);
  };
}
