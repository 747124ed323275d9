import { MINUTE_MS } from '@tollgate/core';
import { type RandomSource, secretTexts } from './secret-text';

/** A one-time code with which a user sets a new password. */
export interface ResetCode {
  /** Of its text. */
  readonly digest: string;
  readonly userId: string;
  readonly expiresAtMs: number;
}

/** How long a code works, milliseconds. */
const RESET_CODE_LIFETIME_MS = 15 * MINUTE_MS;
const RESET_CODES = secretTexts('tg_reset_');

/** A new code: its text, for the operator only, and its record. */
export function createResetCode(
  userId: string,
  now: number,
  random: RandomSource,
): { readonly text: string; readonly code: ResetCode } {
  const { text, digest } = RESET_CODES.create(random);
  return { text, code: { digest, userId, expiresAtMs: now + RESET_CODE_LIFETIME_MS } };
}

/** The digest of a well-formed code; undefined for anything else. */
export const resetCodeDigest = RESET_CODES.digestOf;
