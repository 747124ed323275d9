import { createPublicKey } from 'node:crypto';
import { AppError, type Clock } from '@tollgate/core';
import { decode, type JwtPayload, verify } from 'jsonwebtoken';
import {
  type AccessClaims,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from '../domain/access-token';
import type { PublicSigningKey } from '../domain/ports';
import { ROLES } from '../domain/role';

/**
 * What a valid access token says; UNAUTHORIZED for everything else. The key is chosen by `kid` from
 * ours alone, and the algorithm is fixed: nothing in a token decides how it is verified.
 */
export function verifyAccessToken(
  token: string,
  keys: readonly PublicSigningKey[],
  clock: Clock,
): AccessClaims {
  const refused = new AppError('UNAUTHORIZED');
  let payload: JwtPayload | string;
  try {
    const header = decode(token, { complete: true })?.header;
    const key = keys.find((candidate) => candidate.kid === header?.kid);
    if (key === undefined) throw refused;
    payload = verify(token, createPublicKey(key.publicKeyPem), {
      algorithms: ['ES256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      clockTimestamp: Math.floor(clock.now() / 1000),
    });
  } catch {
    throw refused;
  }
  const claims = toClaims(payload);
  if (claims === undefined) throw refused;
  return claims;
}

function toClaims(payload: JwtPayload | string): AccessClaims | undefined {
  if (typeof payload === 'string' || payload.typ !== TOKEN_TYPE) return undefined;
  const claims: Readonly<Record<string, unknown>> = payload;
  const { sub: userId, sid: sessionId, acc: accountId, op: operator, exp } = claims;
  const role = ROLES.find((known) => known === claims.role);
  // A token without an end would be valid for ever.
  if (typeof exp !== 'number' || role === undefined || typeof operator !== 'boolean') {
    return undefined;
  }
  if (!isText(userId) || !isText(sessionId) || !isText(accountId)) return undefined;
  return { userId, sessionId, accountId, role, operator };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
