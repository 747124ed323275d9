import { AppError } from '@tollgate/core';
import {
  emailRule,
  KNOWN_ADDRESS_MS,
  knownAddressKey,
  pairRule,
  type ThrottleRule,
} from '../domain/login-throttle';
import type { Dependencies } from './dependencies';

/** Counts attempts before the password is looked at, so that parallel guesses cannot slip by. */
export interface AttemptThrottle {
  /** Refuses with RATE_LIMIT_EXCEEDED when there were too many. */
  admit(email: string, address: string): Promise<void>;
  /** Forgets the attempts of this address and remembers it as one of the owner's. */
  succeeded(email: string, address: string): Promise<void>;
}

export function createAttemptThrottle(
  deps: Pick<Dependencies, 'clock' | 'attempts'>,
): AttemptThrottle {
  const { clock, attempts } = deps;
  const count = async (rule: ThrottleRule): Promise<void> => {
    const now = clock.now();
    const made = await attempts.count(rule.key, rule.windowMs, now);
    if (made <= rule.attemptsMax) return;
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      publicMessage: 'Too many attempts. Please wait and try again.',
      retryAfterMs: rule.windowMs - (now % rule.windowMs),
    });
  };
  return {
    async admit(email, address) {
      await count(pairRule(email, address));
      const known = await attempts.isRemembered(knownAddressKey(email, address), clock.now());
      if (!known) await count(emailRule(email));
    },
    async succeeded(email, address) {
      const pair = pairRule(email, address);
      const now = clock.now();
      await attempts.clear(pair.key, pair.windowMs, now);
      await attempts.remember(knownAddressKey(email, address), now + KNOWN_ADDRESS_MS);
    },
  };
}
