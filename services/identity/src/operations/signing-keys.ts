import type { Clock, Logger } from '@tollgate/core';
import {
  PUBLISH_AHEAD_MS,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  verifyingKeys,
} from '../domain/access-token';
import type { PublicSigningKey, SigningKeyStore, TokenKeyring } from '../domain/ports';
import type { Dependencies } from './dependencies';

export interface SigningKeys {
  readonly keys: readonly PublicSigningKey[];
  readonly issuer: string;
  readonly audience: string;
}

export function createSigningKeyOperations({ tokens }: Pick<Dependencies, 'tokens'>) {
  return {
    /** The keys that gateways verify access tokens with, with the one that comes next. */
    getSigningKeys: async (): Promise<SigningKeys> => ({
      keys: tokens.publicKeys(),
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
    }),
  };
}

export interface SigningKeyMaintenance {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signingKeys: SigningKeyStore;
  readonly keyring: TokenKeyring;
  /** Age at which a successor is made, milliseconds. */
  readonly rotateAfterMs: number;
}

/**
 * Makes the first signing key, a successor when the newest one is old, forgets those whose tokens
 * have all expired, and loads the rest. Replicas may race: a generation can be made only once.
 */
export async function maintainSigningKeys(options: SigningKeyMaintenance): Promise<void> {
  const { clock, logger, signingKeys, keyring, rotateAfterMs } = options;
  const now = clock.now();
  const known = await signingKeys.list();
  const newest = known.reduce((max, key) => Math.max(max, key.generation), 0);
  const newestKey = known.find((key) => key.generation === newest);
  if (newestKey === undefined || newestKey.createdAtMs + rotateAfterMs <= now) {
    const activeFromAtMs = newestKey === undefined ? now : now + PUBLISH_AHEAD_MS;
    const made = keyring.generate(newest + 1, now, activeFromAtMs);
    const { kid, generation } = made;
    if (await signingKeys.insert(made)) logger.info({ kid, generation }, 'signing key made');
    else logger.info({ generation }, 'another replica made the signing key of this generation');
  }
  const present = await signingKeys.list();
  const needed = verifyingKeys(present, now);
  keyring.load(needed);
  for (const key of present) {
    if (!needed.includes(key)) await signingKeys.remove(key.kid);
  }
}
