import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { ACCESS_TOKEN_TYPE, AppError, type Clock, type Sealer } from '@tollgate/core';
import { sign } from 'jsonwebtoken';
import {
  ACCESS_TOKEN_LIFETIME_S,
  type AccessClaims,
  activeKey,
  type SigningKeyRecord,
  signingKeySealName,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '../domain/access-token';
import type { TokenKeyring } from '../domain/ports';

interface OpenedKey extends SigningKeyRecord {
  readonly privateKey: KeyObject;
}

const KID_BYTES = 12;

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
    // Gateways verify with the public half as stored: one that was swapped must never be published.
    if (!createPublicKey(privateKey).equals(createPublicKey(record.publicKeyPem))) {
      const internalMessage = `the halves of signing key ${record.kid} do not belong together`;
      throw new AppError('INTERNAL_ERROR', { internalMessage });
    }
    return { ...record, privateKey };
  };

  return {
    load(records) {
      held = records.map(open);
    },
    generate(generation, createdAtMs, activeFromAtMs) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const kid = randomBytes(KID_BYTES).toString('base64url');
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return {
        kid,
        publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        sealedPrivateKey: sealer.seal(pem, signingKeySealName(kid)),
        generation,
        createdAtMs,
        activeFromAtMs,
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
