import { sha256Hex } from '@tollgate/core';

/** Gives `size` unpredictable bytes. */
export type RandomSource = (size: number) => Buffer;

const SECRET_BYTES = 32;

/**
 * Texts that let in whoever has them: a prefix, and 256 random bits. What is stored of one is its
 * SHA-256; nobody guesses that many bits, so the digest needs no pepper.
 */
export function secretTexts(prefix: string) {
  const shape = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);
  return {
    create(random: RandomSource): { readonly text: string; readonly digest: string } {
      const text = `${prefix}${random(SECRET_BYTES).toString('base64url')}`;
      return { text, digest: sha256Hex(text) };
    },
    /** The digest of a well-formed text; undefined for anything else. */
    digestOf: (text: string): string | undefined =>
      shape.test(text) ? sha256Hex(text) : undefined,
  };
}
