import { DAY_MS, MINUTE_MS, networkOf, sha256Hex } from '@tollgate/core';

/**
 * Bounds guessing without a lock that an attacker could turn against the owner. Attempts are
 * counted per email and address, and also per email over all addresses; an address from which the
 * owner logged in before is exempt from the second bound. Unknown emails are counted alike, so that
 * the bound does not tell which emails exist.
 */
export interface ThrottleRule {
  /** Identifies the counter; holds digests only. */
  readonly key: string;
  readonly attemptsMax: number;
  readonly windowMs: number;
}

const WINDOW_MS = 15 * MINUTE_MS;
const PAIR_ATTEMPTS_MAX = 10;
const EMAIL_ATTEMPTS_MAX = 50;

/** How long an address stays known to an email after a login from it, milliseconds. */
export const KNOWN_ADDRESS_MS = 30 * DAY_MS;

/** The counter of one email and one address. */
export function pairRule(email: string, address: string): ThrottleRule {
  const key = `pair:${sha256Hex(`${email}\n${networkOf(address)}`)}`;
  return { key, attemptsMax: PAIR_ATTEMPTS_MAX, windowMs: WINDOW_MS };
}

/** The counter of one email over all unknown addresses. */
export function emailRule(email: string): ThrottleRule {
  return { key: `email:${sha256Hex(email)}`, attemptsMax: EMAIL_ATTEMPTS_MAX, windowMs: WINDOW_MS };
}

/** The counter of requests with a session of the email: a stolen one guesses from anywhere. */
export function sessionRule(email: string): ThrottleRule {
  const key = `session:${sha256Hex(email)}`;
  return { key, attemptsMax: PAIR_ATTEMPTS_MAX, windowMs: WINDOW_MS };
}

/** The counter of registrations of the email that carry an Idempotency-Key. */
export function registrationRule(email: string): ThrottleRule {
  const key = `registration:${sha256Hex(email)}`;
  return { key, attemptsMax: PAIR_ATTEMPTS_MAX, windowMs: WINDOW_MS };
}

/** The counter of codes for a new password that were presented from an address. */
export function resetRule(address: string): ThrottleRule {
  const key = `reset:${sha256Hex(networkOf(address))}`;
  return { key, attemptsMax: PAIR_ATTEMPTS_MAX, windowMs: WINDOW_MS };
}

/** Names an address that is known to an email. */
export function knownAddressKey(email: string, address: string): string {
  return `known:${sha256Hex(`${email}\n${networkOf(address)}`)}`;
}
