import { AppError } from '@tollgate/core';
import {
  emailRule,
  KNOWN_ADDRESS_MS,
  knownAddressKey,
  pairRule,
  registrationRule,
  resetRule,
  sessionRule,
  type ThrottleRule,
} from '../domain/login-throttle-rules';
import type { Dependencies } from './dependencies';

/** Counts attempts before the password is checked, so that parallel guesses count as well. */
export interface LoginThrottle {
  /** Refuses with RATE_LIMIT_EXCEEDED when there were too many. */
  admit(email: string, address: string): Promise<void>;
  /** Forgets the attempts of this address and remembers it as known to the owner. */
  succeeded(email: string, address: string): Promise<void>;
  /** `admit` for a user with a session: what strangers try does not count against it. */
  admitSession(email: string): Promise<void>;
  sessionSucceeded(email: string): Promise<void>;
  /** `admit` for registrations that can be repeated. */
  admitRegistration(email: string): Promise<void>;
  /** `admit` for a user who presents a code for a new password. */
  admitReset(address: string): Promise<void>;
}

export function createLoginThrottle(
  deps: Pick<Dependencies, 'clock' | 'loginAttempts'>,
): LoginThrottle {
  const { clock, loginAttempts: attempts } = deps;
  const count = async (rule: ThrottleRule): Promise<void> => {
    const now = clock.now();
    const made = await attempts.count(rule.key, rule.windowMs, now);
    if (made <= rule.attemptsMax) return;
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      publicMessage: 'Too many attempts. Please wait and try again.',
      retryAfterMs: rule.windowMs - (now % rule.windowMs),
    });
  };
  const clear = (rule: ThrottleRule) => attempts.clear(rule.key, rule.windowMs, clock.now());
  return {
    async admit(email, address) {
      await count(pairRule(email, address));
      const known = await attempts.isRemembered(knownAddressKey(email, address), clock.now());
      if (!known) await count(emailRule(email));
    },
    async succeeded(email, address) {
      await clear(pairRule(email, address));
      const until = clock.now() + KNOWN_ADDRESS_MS;
      await attempts.remember(knownAddressKey(email, address), until);
    },
    admitSession: (email) => count(sessionRule(email)),
    sessionSucceeded: (email) => clear(sessionRule(email)),
    admitRegistration: (email) => count(registrationRule(email)),
    admitReset: (address) => count(resetRule(address)),
  };
}
