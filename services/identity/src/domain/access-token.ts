import { MINUTE_MS } from '@tollgate/core';
import type { Role } from './actor';

/** Who issues access tokens, and for whom. */
export const TOKEN_ISSUER = 'tollgate';
export const TOKEN_AUDIENCE = 'tollgate-api';
export const ACCESS_TOKEN_LIFETIME_S = 60 * 60;

/** The claims of an access token about its bearer. */
export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly operator: boolean;
}

/** A key pair that signs access tokens. The private half is sealed. */
export interface SigningKeyRecord {
  readonly kid: string;
  /** SPKI PEM, P-256. */
  readonly publicKeyPem: string;
  readonly sealedPrivateKey: string;
  /** Counts the keys ever made; unique, so that two replicas never both make the next one. */
  readonly generation: number;
  readonly createdAtMs: number;
  /** Signs from then on; later than its creation, so that verifiers know it before. */
  readonly activeFromAtMs: number;
}

/** Binds a sealed private key to the record that names it. */
export function signingKeySealName(kid: string): string {
  return `identity/signing-key/${kid}`;
}

/** How long before its first use a new key is published, milliseconds. */
export const PUBLISH_AHEAD_MS = 10 * MINUTE_MS;

/** The key that signs now: the newest one that is active. */
export function activeKey(
  keys: readonly SigningKeyRecord[],
  now: number,
): SigningKeyRecord | undefined {
  const active = keys.filter((key) => key.activeFromAtMs <= now);
  return active.reduce<SigningKeyRecord | undefined>(
    (best, key) => (best === undefined || key.generation > best.generation ? key : best),
    undefined,
  );
}

/** The keys whose tokens may still be valid: a key is dropped once its last token has expired. */
export function verifyingKeys(
  keys: readonly SigningKeyRecord[],
  now: number,
): readonly SigningKeyRecord[] {
  const graceMs = ACCESS_TOKEN_LIFETIME_S * 1000 + PUBLISH_AHEAD_MS;
  return keys.filter((key) => {
    const successor = keys.find((other) => other.generation === key.generation + 1);
    return successor === undefined || successor.activeFromAtMs + graceMs > now;
  });
}
