import { AppError, DAY_MS, MINUTE_MS, networkOf, sha256Hex } from '@tollgate/core';
import type { Dependencies } from './dependencies';

/** Attempts that are counted, by what they are counted for, and how many a window may have. */
const ATTEMPTS_MAX = {
  /** Of one email from one network (`networkOf`). */
  pair: 10,
  /** Of one email from all networks that are unknown to it. */
  email: 50,
  /** With a session of one email: a stolen one guesses from anywhere. */
  session: 10,
  /** Registrations of one email that carry an Idempotency-Key. */
  registration: 10,
  /** Codes for a new password that were presented from one network. */
  reset: 10,
} as const;

type Counted = keyof typeof ATTEMPTS_MAX;

const WINDOW_MS = 15 * MINUTE_MS;

/** How long a network stays known to an email after a login from it, milliseconds. */
const KNOWN_NETWORK_MS = 30 * DAY_MS;

/** Names a counter, or a network that is known to an email; holds digests only. */
const keyOf = (what: Counted | 'known', whose: string) => `${what}:${sha256Hex(whose)}`;

const pairOf = (email: string, address: string) => `${email}\n${networkOf(address)}`;

/**
 * Bounds guessing without a lock that an attacker could turn against the owner. Attempts are
 * counted per email and network, and also per email over all networks; a network from which the
 * owner logged in before is exempt from the second bound. Unknown emails are counted alike, so that
 * the bound does not tell which emails exist. It counts before the password is checked, so that
 * parallel guesses count as well.
 */
export function createLoginThrottle({
  clock,
  loginAttempts,
}: Pick<Dependencies, 'clock' | 'loginAttempts'>) {
  const count = async (what: Counted, whose: string): Promise<void> => {
    const now = clock.now();
    const made = await loginAttempts.count(keyOf(what, whose), WINDOW_MS, now);
    if (made <= ATTEMPTS_MAX[what]) return;
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      publicMessage: 'Too many attempts. Please wait and try again.',
      retryAfterMs: WINDOW_MS - (now % WINDOW_MS),
    });
  };
  const clear = (what: Counted, whose: string) =>
    loginAttempts.clear(keyOf(what, whose), WINDOW_MS, clock.now());

  return {
    /** Refuses with RATE_LIMIT_EXCEEDED when there were too many. */
    async admit(email: string, address: string): Promise<void> {
      const pair = pairOf(email, address);
      await count('pair', pair);
      const isKnown = await loginAttempts.isRemembered(keyOf('known', pair), clock.now());
      if (!isKnown) await count('email', email);
    },
    /** Forgets the attempts from this network and remembers it as known to the owner. */
    async succeeded(email: string, address: string): Promise<void> {
      const pair = pairOf(email, address);
      await clear('pair', pair);
      await loginAttempts.remember(keyOf('known', pair), clock.now() + KNOWN_NETWORK_MS);
    },
    /** `admit` for a user with a session: what strangers try does not count against it. */
    admitSession: (email: string) => count('session', email),
    sessionSucceeded: (email: string) => clear('session', email),
    /** `admit` for registrations that can be repeated. */
    admitRegistration: (email: string) => count('registration', email),
    /** `admit` for a user who presents a code for a new password. */
    admitReset: (address: string) => count('reset', networkOf(address)),
  };
}
