import { createHmac, type KeyObject } from 'node:crypto';
import { equalText, sha256Hex } from '@tollgate/core';

/**
 * Turns secrets into what is stored of them: HMAC-SHA256 under a pepper that the database does not
 * hold. The first pepper makes new digests; the later ones only recognise old ones, so that a
 * pepper is rotated by putting a new one in front.
 */
export interface KeyDigester {
  /** Digest of an API key under the present pepper. */
  digest(keyText: string): string;
  /** Whether the stored digest belongs to the key under any pepper; constant time per pepper. */
  matches(storedDigest: string, keyText: string): boolean;
  /** The stored form of a legacy key, from the SHA-256 (hex) of that key. */
  digestLegacy(sha256Hex: string): string;
  /** Every stored form that a presented key of another shape could have, present pepper first. */
  legacyCandidates(keyText: string): readonly string[];
  /**
   * What only a holder of the pepper can make of a text: 32 bytes in base64url under each pepper, the
   * present one first.
   */
  derive(purpose: string, text: string): readonly [string, ...string[]];
}

/** Creates a digester; throws RangeError without a pepper. */
export function createKeyDigester(peppers: readonly KeyObject[]): KeyDigester {
  const [present, ...older] = peppers;
  if (present === undefined) throw new RangeError('at least one key pepper is needed');

  const digest = (pepper: KeyObject, purpose: string, text: string): string =>
    createHmac('sha256', pepper).update(`${purpose}\n${text}`).digest('base64url');

  return {
    digest: (keyText) => digest(present, 'api-key', keyText),
    matches(storedDigest, keyText) {
      let found = false;
      for (const pepper of peppers) {
        // No early exit: the time must not say which pepper matched.
        if (equalText(digest(pepper, 'api-key', keyText), storedDigest)) found = true;
      }
      return found;
    },
    digestLegacy: (sha256) => digest(present, 'legacy-key', sha256),
    legacyCandidates(keyText) {
      const sha256 = sha256Hex(keyText);
      return peppers.map((pepper) => digest(pepper, 'legacy-key', sha256));
    },
    derive(purpose, text) {
      const derived = (pepper: KeyObject) => digest(pepper, `derive:${purpose}`, text);
      return [derived(present), ...older.map(derived)];
    },
  };
}
