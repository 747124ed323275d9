import { AppError, minNano, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { KeyBudget } from '../domain/lease-ref';
import { type AcquiredLease, type Lease, type LeaseBounds, leaseAmountFor } from './lease';
import type { LeaseInUse, Reservation, ReservationRequest } from './reservation';

/** Whose credit leases requests share: an account, or one key of it that has a budget. */
export interface Payer {
  readonly accountId: string;
  budget: KeyBudget | undefined;
  /** Leases to reserve in, newest first: all but the first close when nothing is reserved there. */
  usable: readonly HeldLease[];
  /** Leases that are kept, closed and unsettled ones included. */
  leaseCount: number;
  readonly waiting: Waiter[];
  acquiring: boolean;
  /** Of an acquire whose answer was lost: sent again, so that billing answers the same lease. */
  nonce: string | undefined;
  refusal: LeaseRefusal | undefined;
  /** Until then billing is taken to have no more than it granted: it was asked for more. */
  shortUntilMs: number;
  spent: bigint;
  spentSinceMs: number;
  /** When a request last began or ended. */
  usedMonotonicMs: number;
  /** The last request came only after a lease would have run out: so may the next one. */
  isSlow: boolean;
}

/** A lease with what is needed to renew it. */
export interface HeldLease extends LeaseInUse {
  readonly payer: Payer;
  readonly nonce: string;
  readonly granted: Nano;
  /** The account's credit outside leases at the last answer. */
  available: Nano;
  renewMonotonicMs: number;
  renewing: boolean;
  /** When the last acknowledged acquire was sent. */
  askedMonotonicMs: number;
}

/** A request that waits for billing's answer. */
export interface Waiter {
  readonly request: ReservationRequest;
  /** Answers of billing after which it still has no credit. */
  answersSeen: number;
  readonly resolve: (reservation: Reservation) => void;
  readonly reject: (error: AppError) => void;
}

/** A refusal is remembered for a moment, so that a broke account costs billing little. */
export interface LeaseRefusal {
  readonly error: AppError;
  readonly minimum: Nano;
  readonly untilMs: number;
}

/** The key under which requests share leases. */
export function payerKeyOf(request: Pick<ReservationRequest, 'accountId' | 'budget'>): string {
  return request.budget === undefined
    ? request.accountId
    : `${request.accountId}/${request.budget.keyId}`;
}

/** A payer without leases. */
export function createPayer(
  request: Pick<ReservationRequest, 'accountId' | 'budget'>,
  monotonicNowMs: number,
): Payer {
  return {
    accountId: request.accountId,
    budget: request.budget,
    usable: [],
    leaseCount: 0,
    waiting: [],
    acquiring: false,
    nonce: undefined,
    refusal: undefined,
    shortUntilMs: 0,
    spent: 0n,
    spentSinceMs: monotonicNowMs,
    usedMonotonicMs: monotonicNowMs,
    isSlow: false,
  };
}

/** Longer than a lease lasts that nobody renews, and billing's sweep of it. */
const NONCE_KEPT_MS = 60_000;

/** Nothing about the payer is worth remembering but when it was used. */
export function isForgettable(payer: Payer, monotonicNowMs: number): boolean {
  return (
    payer.leaseCount === 0 &&
    payer.waiting.length === 0 &&
    !payer.acquiring &&
    (payer.nonce === undefined || monotonicNowMs - payer.usedMonotonicMs >= NONCE_KEPT_MS) &&
    (payer.refusal === undefined || payer.refusal.untilMs <= monotonicNowMs)
  );
}

/** Somebody has credit reserved or waits for it. */
export function isBusy(payer: Payer): boolean {
  return payer.waiting.length > 0 || payer.usable.some(({ lease }) => lease.reservations > 0);
}

/** A lease that was just granted. */
export function createHeldLease(
  payer: Payer,
  lease: Lease,
  acquired: AcquiredLease,
  at: { readonly nonce: string; readonly sentMonotonicMs: number; readonly monotonicNowMs: number },
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

/** Takes the waiter out of the queue; false when it was served already. */
export function removeWaiter(payer: Payer, waiter: Waiter): boolean {
  const index = payer.waiting.indexOf(waiter);
  if (index < 0) return false;
  payer.waiting.splice(index, 1);
  return true;
}

/** A request whose client is gone waits no longer. */
export function dropWhenAborted(payer: Payer, waiter: Waiter, promise: Promise<Reservation>): void {
  const { signal } = waiter.request;
  if (signal === undefined) return;
  const onAbort = () => {
    if (removeWaiter(payer, waiter)) waiter.reject(unavailable('the client is gone'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const forget = () => signal.removeEventListener('abort', onAbort);
  promise.then(forget, forget);
}

/** The credit that the next lease should hold; what was spent is counted anew from here. */
export function takeLeaseAmount(payer: Payer, monotonicNowMs: number): Nano {
  const waiting = payer.waiting.reduce((sum, { request }) => sum + request.worst, 0n);
  const amount = leaseAmountFor({
    waiting: nano(waiting),
    reserved: payer.usable[0]?.lease.reserved ?? ZERO_NANO,
    spent: nano(payer.spent),
    spentOverMs: monotonicNowMs - payer.spentSinceMs,
  });
  payer.spent = 0n;
  payer.spentSinceMs = monotonicNowMs;
  return amount;
}

/**
 * The least that helps one of those who have waited longest. One refusal then decides about all of
 * them, and none is put off for ever by newcomers that need less.
 */
export function minimumToAsk(asking: readonly Waiter[]): Nano {
  const seenMax = Math.max(...asking.map(({ answersSeen }) => answersSeen));
  const longest = asking.filter(({ answersSeen }) => answersSeen === seenMax);
  return longest.map(({ request }) => request.minimum).reduce(minNano);
}

/**
 * Why a request that waited gets nothing although billing granted something: others had it. Only
 * while the account has more outside its leases may the same request be paid a moment later.
 */
export function shortfallOf(payer: Payer, { request }: Waiter, acquired: AcquiredLease): AppError {
  if (acquired.available < request.minimum) {
    const inLeases = payer.usable.reduce((sum, { lease }) => sum + lease.free + lease.reserved, 0n);
    const balance = nano(acquired.available + inLeases);
    return new AppError('INSUFFICIENT_BALANCE', { balance });
  }
  if (acquired.remaining >= request.minimum) {
    return unavailable('billing granted no credit that can be reserved');
  }
  return new AppError(payer.budget === undefined ? 'INSUFFICIENT_BALANCE' : 'KEY_BUDGET_EXCEEDED');
}

const RETRY_AFTER_MS = 1000;

/**
 * How long it is remembered that billing granted less than was asked for. Otherwise each request
 * that can begin with nothing would be granted a further lease of nothing, held until it ends.
 */
export const SHORT_GRANT_MS = 10_000;

/** Credit cannot be decided on now. */
export function unavailable(internalMessage: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: RETRY_AFTER_MS });
}
