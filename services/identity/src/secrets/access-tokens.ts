import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { ACCESS_TOKEN_TYPE, AppError, type Clock, type Sealer } from '@tollgate/core';
import { decode, type JwtPayload, sign, verify } from 'jsonwebtoken';
import {
  ACCESS_TOKEN_LIFETIME_S,
  type AccessClaims,
  activeKey,
  type SigningKeyRecord,
  signingKeySealName,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '../domain/access-token';
import { ROLES } from '../domain/actor';
import type { PublicSigningKey, TokenKeyring } from '../domain/ports';

interface OpenedKey extends SigningKeyRecord {
  readonly privateKey: KeyObject;
}

const KID_BYTES = 12;
/** For a token that only tries a key pair out; it names nobody and is given to nobody. */
const PROBE: AccessClaims = {
  userId: 'nobody',
  sessionId: 'nobody',
  accountId: 'nobody',
  role: 'member',
  operator: false,
};

/** Signs access tokens with ES256; the private keys are in clear in this process only. */
export function createTokenKeyring(options: {
  readonly clock: Clock;
  readonly sealer: Sealer;
}): TokenKeyring {
  const { clock, sealer } = options;
  let held: readonly OpenedKey[] = [];

  const open = (record: SigningKeyRecord): OpenedKey => {
    const known = held.find((key) => key.kid === record.kid);
    if (known !== undefined) return known;
    const privateKey = createPrivateKey(
      sealer.open(record.sealedPrivateKey, signingKeySealName(record.kid)),
    );
    const opened = { ...record, privateKey };
    // Gateways verify with the public half as stored: one that was swapped must never be published.
    verifyAccessToken(signToken(opened, PROBE, clock.now()), [record], clock);
    return opened;
  };

  return {
    load(records) {
      held = records.map(open);
    },
    generate(generation, createdAtMs, activeFromMs) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const kid = randomBytes(KID_BYTES).toString('base64url');
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return {
        kid,
        publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        sealedPrivateKey: sealer.seal(pem, signingKeySealName(kid)),
        generation,
        createdAtMs,
        activeFromMs,
      };
    },
    issue(claims) {
      const now = clock.now();
      const active = activeKey(held, now);
      const key = held.find((candidate) => candidate.kid === active?.kid);
      if (key === undefined) {
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: 'no signing key is loaded',
          retryAfterMs: 1000,
        });
      }
      return { token: signToken(key, claims, now), expiresInS: ACCESS_TOKEN_LIFETIME_S };
    },
    publicKeys: () => held.map(({ kid, publicKeyPem }) => ({ kid, publicKeyPem })),
  };
}

function signToken(key: OpenedKey, claims: AccessClaims, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const payload = {
    sub: claims.userId,
    sid: claims.sessionId,
    acc: claims.accountId,
    role: claims.role,
    op: claims.operator,
    typ: ACCESS_TOKEN_TYPE,
    iss: TOKEN_ISSUER,
    aud: TOKEN_AUDIENCE,
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_LIFETIME_S,
  };
  return sign(payload, key.privateKey, { algorithm: 'ES256', keyid: key.kid });
}

/**
 * The claims of a valid access token; UNAUTHORIZED for everything else. The key is chosen by `kid`
 * from ours alone, and the algorithm is fixed: nothing in a token decides how it is verified.
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
  if (typeof payload === 'string' || payload.typ !== ACCESS_TOKEN_TYPE) return undefined;
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
