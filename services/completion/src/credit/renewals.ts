import { type Clock, type Logger, ZERO_NANO } from '@tollgate/core';
import type { AcquiredLease, BillingPort } from '../domain/billing';
import type { LeaseRules } from './lease';
import { renewTimeMs } from './lease-times';
import type { HeldLease } from './payer';

/** Renewals under way at once: more would only wait in billing, ahead of new requests. */
const AT_ONCE_MAX = 64;
/** From a renewal that failed to the next one of the same lease. */
export const RENEW_RETRY_MS = 1000;

export interface RenewalsDependencies {
  readonly billing: Pick<BillingPort, 'acquireLease'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rules: LeaseRules;
  isDue(held: HeldLease): boolean;
  /** Called before the answer takes the place of the one before in `held`. */
  onRenewed(held: HeldLease, acquired: AcquiredLease): void;
  /** Billing no longer has it, and took the renewal for a request for a new one. */
  onStray(held: HeldLease, stray: AcquiredLease): Promise<void>;
}

/** Keeps leases from running out. */
export interface Renewals {
  /**
   * Renews these, the longest due first. They replace the list before: what still waited has to be
   * in it again.
   */
  begin(due: readonly HeldLease[]): void;
}

/**
 * Renews a bounded number of leases at once. One that failed is due again later than those that
 * waited meanwhile, so that leases which always fail keep none of the others from their turn.
 */
export function createRenewals(deps: RenewalsDependencies): Renewals {
  let waiting: HeldLease[] = [];
  let underWay = 0;
  const beginNext = (): void => {
    while (underWay < AT_ONCE_MAX) {
      const held = waiting.pop();
      if (held === undefined) return;
      if (!deps.isDue(held)) continue;
      underWay += 1;
      void renew(deps, held).finally(() => {
        underWay -= 1;
        beginNext();
      });
    }
  };
  return {
    begin(due) {
      waiting = due.toSorted((a, b) => b.renewMonotonicMs - a.renewMonotonicMs);
      beginNext();
    },
  };
}

async function renew(deps: RenewalsDependencies, held: HeldLease): Promise<void> {
  const { billing, clock, rules } = deps;
  const sentMonotonicMs = clock.monotonicMs();
  held.renewing = true;
  try {
    const { accountId } = held.lease;
    const asked = { accountId, nonce: held.nonce, amount: ZERO_NANO, minimum: ZERO_NANO };
    const acquired = await billing.acquireLease({ ...asked, budget: held.payer.budget });
    if (acquired.lease !== held.lease.lease) return await deps.onStray(held, acquired);
    deps.onRenewed(held, acquired);
    const usableUntilMs = rules.usableUntilMs(sentMonotonicMs, acquired.ttlMs, acquired.marginMs);
    held.lease = { ...held.lease, usableUntilMs };
    held.renewMonotonicMs = renewTimeMs(sentMonotonicMs, usableUntilMs);
    held.askedMonotonicMs = sentMonotonicMs;
    held.available = acquired.available;
  } catch (error) {
    held.renewMonotonicMs = clock.monotonicMs() + RENEW_RETRY_MS;
    deps.logger.debug({ error, lease: held.lease.lease }, 'a lease was not renewed');
  } finally {
    held.renewing = false;
  }
}
