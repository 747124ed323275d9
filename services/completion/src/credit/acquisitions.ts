import { type AppError, type Clock, type Logger, maxNano, nano, toAppError } from '@tollgate/core';
import type { AcquiredLease, AcquireRequest, BillingPort } from '../domain/billing';
import type { LeaseBounds } from './lease';
import {
  type AskedLease,
  leaseToAsk,
  type Payer,
  SHORT_GRANT_MS,
  shortfallOf,
  takeLeaseAmount,
} from './payer';
import { creditUnavailable, type Reservation, type ReservationRequest } from './reservation';
import { dropWhenAborted, minimumToAsk, removeWaiter, type Waiter } from './waiters';

const ANSWERS_SEEN_MAX = 2;

export interface AcquisitionsDependencies {
  readonly billing: Pick<BillingPort, 'acquireLease'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: Pick<LeaseBounds, 'refusalMs' | 'waitersMax'>;
  /** A text that was never used for a lease before. */
  readonly createNonce: () => string;
  /** The worst case; or what there is, where the minimum is 0 and billing would grant no more. */
  tryReserve(payer: Payer, request: ReservationRequest): Reservation | undefined;
  /** Reserves what the leases at hand have left, when that is at least the minimum. */
  tryReserveCapped(payer: Payer, request: ReservationRequest): Reservation | undefined;
  /** What the account's leases have free, those included that other keys have or billing gets back. */
  freeOf(accountId: string): bigint;
  /** Takes what billing granted into use. */
  onGranted(payer: Payer, acquired: AcquiredLease, sent: SentAcquire): void;
  /** The account spends nothing at present: its leases are to give nothing more. */
  onSuspended(accountId: string): void;
}

/** What a lease is renewed and timed by. */
export interface SentAcquire extends AskedLease {
  readonly sentMonotonicMs: number;
}

/** Leases asked of billing for requests that the leases at hand cannot pay. */
export interface Acquisitions {
  /** Waits for credit; rejects with 402 when there is not enough, 503 when that is not known. */
  waitForCredit(payer: Payer, request: ReservationRequest): Promise<Reservation>;
  /** Serves those who wait from what the leases have now. */
  serve(payer: Payer): void;
}

/** One acquire at a time for each payer, on behalf of all of its requests that wait. */
export function createAcquisitions(deps: AcquisitionsDependencies): Acquisitions {
  return {
    waitForCredit(payer, request) {
      const { promise, resolve, reject } = Promise.withResolvers<Reservation>();
      const waiter: Waiter = {
        request,
        minimum: request.minimum,
        answersSeen: 0,
        resolve,
        reject,
      };
      if (answerByRefusal(deps, payer, waiter)) return promise;
      if (payer.waiting.length >= deps.bounds.waitersMax) {
        return Promise.reject(creditUnavailable('too many requests wait for credit'));
      }
      payer.waiting.push(waiter);
      dropWhenAborted(payer.waiting, waiter, promise);
      if (!payer.acquiring) void acquire(deps, payer);
      return promise;
    },
    serve: (payer) => serve(deps, payer),
  };
}

function serve(deps: AcquisitionsDependencies, payer: Payer): void {
  for (const waiter of payer.waiting.slice()) {
    const reservation = deps.tryReserve(payer, waiter.request);
    if (reservation !== undefined) {
      removeWaiter(payer.waiting, waiter);
      waiter.resolve(reservation);
    } else if (answerByRefusal(deps, payer, waiter)) removeWaiter(payer.waiting, waiter);
  }
}

/** Decides by a refusal that is still fresh; false when nothing as small was refused. */
function answerByRefusal(deps: AcquisitionsDependencies, payer: Payer, waiter: Waiter): boolean {
  const { refusal } = payer;
  if (refusal === undefined || refusal.untilMs <= deps.clock.monotonicMs()) return false;
  if (waiter.minimum < refusal.minimum) return false;
  grantLess(deps, payer, waiter, refusal.error);
  return true;
}

/** Grants what is left in the account's leases when that is enough, else rejects. */
function grantLess(
  deps: AcquisitionsDependencies,
  payer: Payer,
  waiter: Waiter,
  error: AppError,
): void {
  const reservation = deps.tryReserveCapped(payer, waiter.request);
  if (reservation === undefined) waiter.reject(error);
  else waiter.resolve(reservation);
}

async function acquire(deps: AcquisitionsDependencies, payer: Payer): Promise<void> {
  payer.acquiring = true;
  // Requests of the same tick of the event loop are asked for together.
  await Promise.resolve();
  try {
    for (;;) {
      serve(deps, payer);
      if (payer.waiting.length === 0) return;
      await acquireForAll(deps, payer);
    }
  } catch (error) {
    deps.logger.error({ error, accountId: payer.accountId }, 'credit was not asked for');
    for (const waiter of payer.waiting.splice(0)) waiter.reject(toAppError(error));
  } finally {
    payer.acquiring = false;
  }
}

/** One question to billing for all who wait; its answer may take the second of a recall. */
async function acquireForAll(deps: AcquisitionsDependencies, payer: Payer): Promise<void> {
  const asking = [...payer.waiting];
  const minimum = minimumToAsk(asking);
  const sentMonotonicMs = deps.clock.monotonicMs();
  const amount = takeLeaseAmount(payer, sentMonotonicMs);
  const isRepeated = payer.asked !== undefined;
  const asked = leaseToAsk(payer, deps.createNonce);
  payer.asked = asked;
  const { accountId, budget } = payer;
  const { nonce } = asked;
  let acquired: AcquiredLease;
  try {
    acquired = await deps.billing.acquireLease({ accountId, nonce, amount, minimum, budget });
  } catch (error) {
    onRefused(deps, payer, { minimum, budget }, toAppError(error));
    return;
  }
  payer.asked = undefined;
  deps.onGranted(payer, acquired, { ...asked, sentMonotonicMs });
  // The nonce was sent once before, and no grant was heard of: billing may have given the lease of
  // that time, whose size suits those who waited then. While the account has credit outside of its
  // leases (`available`), billing is asked again for those who wait now. That figure says nothing
  // about what is left of a key's budget, so for a key this answer has to do.
  if (isRepeated && budget === undefined && acquired.available > 0n) return;
  payer.hasMore = acquired.available > 0n;
  payer.shortUntilMs = acquired.remaining < amount ? sentMonotonicMs + SHORT_GRANT_MS : 0;
  for (const waiter of asking) {
    if (payer.waiting.includes(waiter)) answerByGrant(deps, payer, waiter, acquired);
  }
}

/** Serves a request from what was granted; one that gets nothing is asked for once more. */
function answerByGrant(
  deps: AcquisitionsDependencies,
  payer: Payer,
  waiter: Waiter,
  acquired: AcquiredLease,
): void {
  const { request } = waiter;
  const reservation = deps.tryReserve(payer, request) ?? deps.tryReserveCapped(payer, request);
  waiter.answersSeen += 1;
  if (reservation !== undefined) {
    removeWaiter(payer.waiting, waiter);
    waiter.resolve(reservation);
  } else if (waiter.answersSeen >= ANSWERS_SEEN_MAX) {
    removeWaiter(payer.waiting, waiter);
    waiter.reject(shortfallOf(payer, waiter, acquired));
  } else {
    // Billing granted the minimum while it had no more outside of leases: asked for all that they
    // have, it calls them back.
    const { minimum, minimumBesideCredit } = request;
    const free = deps.freeOf(payer.accountId);
    waiter.minimum = maxNano(
      minimum,
      free < minimumBesideCredit ? nano(free) : minimumBesideCredit,
    );
  }
}

function onRefused(
  deps: AcquisitionsDependencies,
  payer: Payer,
  { minimum, budget }: Pick<AcquireRequest, 'minimum' | 'budget'>,
  error: AppError,
): void {
  const { clock, bounds, logger } = deps;
  if (error.code !== 'INSUFFICIENT_BALANCE' && error.code !== 'KEY_BUDGET_EXCEEDED') {
    // Whether billing granted is not known, and nobody waits for the next try.
    logger.warn({ error, accountId: payer.accountId }, 'credit could not be acquired');
    for (const waiter of payer.waiting.splice(0)) waiter.reject(error);
    return;
  }
  if (error.spendingSuspended) deps.onSuspended(payer.accountId);
  // Billing looks at the key's budget first: all that it spent and leased is within this limit.
  const isWithinBudget = error.code === 'INSUFFICIENT_BALANCE';
  if (isWithinBudget && payer.grantedBy?.period === budget?.period) payer.grantedBy = budget;
  // The nonce is kept for the next try: `packages/rpc` sends a slow call to a second replica as well,
  // which may have granted the lease while the first one refused it.
  // One for want of money says how much there is.
  payer.hasMore = error.balance === undefined;
  payer.refusal = { error, minimum, untilMs: clock.monotonicMs() + bounds.refusalMs };
  for (const waiter of payer.waiting.slice()) {
    if (waiter.minimum < minimum) continue;
    removeWaiter(payer.waiting, waiter);
    grantLess(deps, payer, waiter, error);
  }
}
