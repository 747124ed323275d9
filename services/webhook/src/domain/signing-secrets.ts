import { randomBytes } from 'node:crypto';
import { GRACE_PERIOD_S_MAX, invalid } from '@tollgate/core';
import type { SealedSecret } from './endpoint';

const SECRET_BYTES = 32;

/** A new signing secret, shown once: `whsec_` and 256 random bits in base64. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The new secret first, the one it replaces until the grace period is over. A secret that an
 * earlier rotation left signing ends now: there are never more than two.
 */
export function rotateSecrets(
  present: readonly SealedSecret[],
  sealed: string,
  gracePeriodSeconds: number,
  now: number,
): readonly SealedSecret[] {
  if (gracePeriodSeconds > GRACE_PERIOD_S_MAX) {
    throw invalid(
      'grace_period_seconds',
      `The grace period must be 0 to ${GRACE_PERIOD_S_MAX} seconds.`,
    );
  }
  const fresh = { sealed, expiresAtMs: null };
  const [replaced] = present;
  if (replaced === undefined || gracePeriodSeconds === 0) return [fresh];
  return [fresh, { sealed: replaced.sealed, expiresAtMs: now + gracePeriodSeconds * 1_000 }];
}

/** The secrets that sign now. */
export function secretsInForce(
  secrets: readonly SealedSecret[],
  now: number,
): readonly SealedSecret[] {
  return secrets.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > now);
}
