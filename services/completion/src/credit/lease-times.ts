import type { AcquiredLease } from '../domain/billing';
import type { SentAcquire } from './acquisitions';
import type { Lease, LeaseBounds } from './lease';
import type { HeldLease, Payer } from './payer';

/** A lease that was just granted. */
export function createHeldLease(
  payer: Payer,
  lease: Lease,
  acquired: AcquiredLease,
  at: SentAcquire & { readonly monotonicNowMs: number },
): HeldLease {
  return {
    lease,
    payer,
    nonce: at.nonce,
    granted: acquired.remaining,
    available: acquired.available,
    renewMonotonicMs: renewTimeMs(at.sentMonotonicMs, lease.usableUntilMs),
    renewing: false,
    askedMonotonicMs: at.sentMonotonicMs,
    usedMonotonicMs: at.monotonicNowMs,
    returned: 0n,
  };
}

/** An account is rich while it has this many times the lease besides it. */
const RICH_LEASES = 4n;

/** Whether a lease in which nothing is reserved is to be closed. */
export function isIdleTooLong(
  held: HeldLease,
  bounds: LeaseBounds,
  monotonicNowMs: number,
): boolean {
  const { idlePoorMs, idleRichMs } = bounds;
  const rich = held.available >= held.granted * RICH_LEASES;
  const idleMs = monotonicNowMs - held.usedMonotonicMs;
  return idleMs >= (rich ? idleRichMs : idlePoorMs) || monotonicNowMs >= held.lease.usableUntilMs;
}

/** Half of the time is left for tries when billing is slow. */
export function renewTimeMs(sentMonotonicMs: number, usableUntilMs: number): number {
  return sentMonotonicMs + (usableUntilMs - sentMonotonicMs) / 2;
}

/** A lease counts as used while its last use lies no longer back than this part of its life. */
const RECENT_PARTS = 4;

/** Whether requests still come: then the lease is worth a renewal. */
export function wasUsedLately(held: HeldLease, monotonicNowMs: number): boolean {
  const lifeMs = held.lease.usableUntilMs - held.askedMonotonicMs;
  return (monotonicNowMs - held.usedMonotonicMs) * RECENT_PARTS <= lifeMs;
}
