import { AppError, maxNano, minNano, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { AcquiredLease } from '../domain/billing';
import type { KeyBudget } from '../domain/lease-ref';
import { leaseAmountFor } from './lease';
import { creditUnavailable, type LeaseInUse, type ReservationRequest } from './reservation';
import type { Waiter } from './waiters';

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
  /**
   * The budget of the last grant that held credit. What the key had spent and all that it had leased
   * were then within its limit.
   */
  grantedBy: KeyBudget | undefined;
  /** Not granted as far as we have heard. */
  asked: AskedLease | undefined;
  refusal: LeaseRefusal | undefined;
  /**
   * Billing granted less than it was asked for: until then (`SHORT_GRANT_MS`) it is taken to have no
   * more, and requests whose minimum is 0 take what there is and do not ask.
   */
  shortUntilMs: number;
  /**
   * By billing's last answer the account has more than its leases, or was refused for another reason
   * than want of it.
   */
  hasMore: boolean;
  spent: bigint;
  spentSinceMs: number;
  /** When a request last began or ended. */
  usedMonotonicMs: number;
  /** The last request came only after a lease would have run out: so may the next one. */
  isSlow: boolean;
}

/** A lease as billing was asked for it. */
export interface AskedLease {
  /** Sent again, so that billing gives the same lease if it had granted one after all. */
  readonly nonce: string;
  /** By which it may have been granted: its limit is the highest that the nonce was sent with. */
  readonly budget: KeyBudget | undefined;
}

/** A lease of a payer; `lease-times.ts` says when it is renewed and when closed. */
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
    grantedBy: undefined,
    asked: undefined,
    refusal: undefined,
    shortUntilMs: 0,
    hasMore: false,
    spent: 0n,
    spentSinceMs: monotonicNowMs,
    usedMonotonicMs: monotonicNowMs,
    isSlow: false,
  };
}

/** The lease to ask for now: the one before while no grant of it was heard of. */
export function leaseToAsk({ asked, budget }: Payer, createNonce: () => string): AskedLease {
  if (asked === undefined) return { nonce: createNonce(), budget };
  if (budget === undefined || asked.budget === undefined) return asked;
  const limit = maxNano(asked.budget.limit, budget.limit);
  return { nonce: asked.nonce, budget: { ...budget, limit } };
}

/**
 * As much of the worst case as the request's budget allows. A limit that was lowered since billing
 * granted leaves as much free, in all leases together, as it fell by.
 */
export function allowedOf({ grantedBy, usable }: Payer, request: ReservationRequest): Nano {
  const { budget, worst } = request;
  if (grantedBy === undefined || budget === undefined) return worst;
  const withheld = grantedBy.limit - budget.limit;
  if (withheld <= 0n) return worst;
  const allowed = usable.reduce((sum, { lease }) => sum + lease.free, -withheld);
  return allowed <= 0n ? ZERO_NANO : minNano(nano(allowed), worst);
}

/** Longer than a lease lasts that nobody renews, and billing's sweep of it. */
const NONCE_KEPT_MS = 60_000;

/** Nothing about the payer is worth remembering but when it was used. */
export function isForgettable(payer: Payer, monotonicNowMs: number): boolean {
  return (
    payer.leaseCount === 0 &&
    payer.waiting.length === 0 &&
    !payer.acquiring &&
    (payer.asked === undefined || monotonicNowMs - payer.usedMonotonicMs >= NONCE_KEPT_MS) &&
    (payer.refusal === undefined || payer.refusal.untilMs <= monotonicNowMs)
  );
}

/** Somebody has credit reserved or waits for it. */
export function isBusy(payer: Payer): boolean {
  return payer.waiting.length > 0 || payer.usable.some(({ lease }) => lease.reservations > 0);
}

/** The credit that the next lease should hold; what was spent is counted anew from here. */
export function takeLeaseAmount(payer: Payer, monotonicNowMs: number): Nano {
  const waiting = payer.waiting.reduce((sum, { request }) => sum + request.worst, 0n);
  const amount = leaseAmountFor({
    waiting,
    reserved: payer.usable[0]?.lease.reserved ?? ZERO_NANO,
    spent: payer.spent,
    spentOverMs: monotonicNowMs - payer.spentSinceMs,
  });
  payer.spent = 0n;
  payer.spentSinceMs = monotonicNowMs;
  return amount;
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
    return creditUnavailable('billing granted no credit that can be reserved');
  }
  return new AppError(payer.budget === undefined ? 'INSUFFICIENT_BALANCE' : 'KEY_BUDGET_EXCEEDED');
}

/**
 * How long it is remembered that billing granted less than was asked for. Otherwise each request
 * that can begin with nothing would be granted a further lease of nothing, held until it ends.
 */
export const SHORT_GRANT_MS = 10_000;
