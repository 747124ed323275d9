import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  ACCESS_TOKEN_TYPE,
  AppError,
  type Clock,
  createBoundedMap,
  createSharedWork,
} from '@tollgate/core';
import { decode, type JwtHeader, type JwtPayload, verify } from 'jsonwebtoken';

/** The public keys that identity signs with, and whom its tokens are for. */
export interface SigningKeys {
  readonly keys: readonly { readonly kid: string; readonly publicKeyPem: string }[];
  readonly issuer: string;
  readonly audience: string;
}

/** The claims of a verified token. */
export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

export interface AccessTokenOptions {
  readonly fetchKeys: () => Promise<SigningKeys>;
  /** Verified tokens that are remembered; verifying costs a hundred times a look-up. */
  readonly entriesMax: number;
  /** Unknown key ids make us ask again, at most this often, milliseconds. */
  readonly refetchIntervalMs: number;
  /** Keys are fetched anew after this time, so that those that ended stop working. */
  readonly keysTtlMs: number;
  readonly clock: Clock;
}

/** Checks access tokens. */
export interface AccessTokenVerifier {
  /** Throws or rejects with UNAUTHORIZED, or SERVICE_UNAVAILABLE when the keys cannot be had. */
  verify(token: string): AccessClaims | Promise<AccessClaims>;
}

interface KeySet {
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly issuer: string;
  readonly audience: string;
  readonly fetchedMonotonicMs: number;
}

/** A token that was verified, and with which key. */
interface VerifiedToken {
  readonly claims: AccessClaims;
  readonly kid: string;
}

/** ES256 only, with the key that identity publishes under the token's `kid`; nothing else counts. */
export function createAccessTokenVerifier(options: AccessTokenOptions): AccessTokenVerifier {
  const { clock } = options;
  const verified = createBoundedMap<string, VerifiedToken>(options.entriesMax);
  let keySet: KeySet | undefined;
  const fetching = createSharedWork<KeySet>();

  const fetchAll = async (): Promise<KeySet> => {
    try {
      keySet = await load(options);
      return keySet;
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
  };
  const fetchOnce = (): Promise<KeySet> => fetching.run('keys', fetchAll);
  const keysFor = async (kid: string): Promise<KeySet> => {
    if (keySet === undefined) return fetchOnce();
    const ageMs = clock.monotonicMs() - keySet.fetchedMonotonicMs;
    const ageMsMax = keySet.keys.has(kid) ? options.keysTtlMs : options.refetchIntervalMs;
    if (ageMs < ageMsMax) return keySet;
    // Known keys go on serving while identity is away; unknown ones cannot be decided then.
    if (keySet.keys.has(kid)) return fetchOnce().catch(() => keySet ?? fetchOnce());
    return fetchOnce();
  };
  const verifyNew = async (token: string): Promise<AccessClaims> => {
    const kid = kidOf(token);
    const claims = readToken(token, kid, await keysFor(kid), clock);
    verified.set(token, { claims, kid });
    return claims;
  };
  // A key may have been withdrawn since: a token lives no longer than what it was signed with.
  const isPublished = (kid: string): boolean => {
    if (keySet === undefined || !keySet.keys.has(kid)) return false;
    return clock.monotonicMs() - keySet.fetchedMonotonicMs < options.keysTtlMs;
  };

  return {
    verify(token) {
      const known = verified.get(token);
      if (known === undefined) return verifyNew(token);
      if (known.claims.expiresAtMs > clock.now() && isPublished(known.kid)) {
        return known.claims;
      }
      verified.delete(token);
      return verifyNew(token);
    },
  };
}

async function load({ fetchKeys, clock }: AccessTokenOptions): Promise<KeySet> {
  const { keys, issuer, audience } = await fetchKeys();
  const parsed = keys.map(({ kid, publicKeyPem }) => [kid, createPublicKey(publicKeyPem)] as const);
  return { keys: new Map(parsed), issuer, audience, fetchedMonotonicMs: clock.monotonicMs() };
}

function kidOf(token: string): string {
  const header = headerOf(token);
  if (typeof header?.kid !== 'string' || header.alg !== 'ES256') throw new AppError('UNAUTHORIZED');
  return header.kid;
}

function headerOf(token: string): JwtHeader | undefined {
  try {
    return decode(token, { complete: true })?.header;
  } catch {
    // The library returns null for some of what is no token, and throws for the rest.
    return undefined;
  }
}

function readToken(token: string, kid: string, keySet: KeySet, clock: Clock): AccessClaims {
  const key = keySet.keys.get(kid);
  if (key === undefined) throw new AppError('UNAUTHORIZED');
  let payload: JwtPayload | string;
  try {
    payload = verify(token, key, {
      algorithms: ['ES256'],
      issuer: keySet.issuer,
      audience: keySet.audience,
      clockTimestamp: Math.floor(clock.now() / 1000),
    });
  } catch (error) {
    throw new AppError('UNAUTHORIZED', { cause: error });
  }
  if (typeof payload === 'string') throw new AppError('UNAUTHORIZED');
  const { sub, exp, sid: sessionId }: Readonly<Record<string, unknown>> = payload;
  if (payload.typ !== ACCESS_TOKEN_TYPE || typeof sub !== 'string' || typeof exp !== 'number') {
    throw new AppError('UNAUTHORIZED');
  }
  // Without a session nothing could end the token before its time.
  if (typeof sessionId !== 'string' || sessionId === '') throw new AppError('UNAUTHORIZED');
  return { userId: sub, sessionId, expiresAtMs: exp * 1000 };
}
