import { decode, verify } from 'jsonwebtoken';
import { type AccessClaims, TOKEN_AUDIENCE, TOKEN_ISSUER } from '../domain/access-token';
import type { TokenKeyring } from '../domain/ports';

interface TokenPayload {
  readonly sub: AccessClaims['userId'];
  readonly sid: AccessClaims['sessionId'];
  readonly acc: AccessClaims['accountId'];
  readonly role: AccessClaims['role'];
  readonly op: AccessClaims['operator'];
}

/** What a token says about its bearer; throws unless a key of the ring signed it and it is valid. */
export function readAccessToken(
  token: string,
  keyring: Pick<TokenKeyring, 'publicKeys'>,
  now: number,
): AccessClaims {
  const kid = decode(token, { complete: true })?.header.kid;
  const key = keyring.publicKeys().find((candidate) => candidate.kid === kid);
  const payload = verify(token, key?.publicKeyPem ?? '', {
    algorithms: ['ES256'],
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    clockTimestamp: Math.floor(now / 1000),
  }) as unknown as TokenPayload;
  const { sub: userId, sid: sessionId, acc: accountId, role, op: operator } = payload;
  return { userId, sessionId, accountId, role, operator };
}
