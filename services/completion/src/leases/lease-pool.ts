import { AppError, minNano, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import { type Lease, type LeaseRules, sliceOf } from '../domain/lease';
import type { LeaseGrant } from '../domain/ports';
import type { KeyBudget, LeaseRef } from '../domain/usage-record';
import type { LeaseLimits } from './lease-parts';

/** Credit that a request asks for. */
export interface DrawRequest {
  readonly accountId: string;
  /** Set when the key has a budget: it is leased apart from the account's other keys. */
  readonly budget: KeyBudget | null;
  /** What the request may cost at most. */
  readonly worst: Nano;
  /** The least that it can start with; equal to `worst` when its answer must not be capped. */
  readonly minimum: Nano;
  readonly signal?: AbortSignal;
}

/** Credit reserved for one request. */
export interface Draw {
  readonly ref: LeaseRef;
  /** Between the request's minimum and its worst case. */
  readonly amount: Nano;
}

/** A request that waits for billing's answer. */
export interface Waiter {
  readonly request: DrawRequest;
  /** Answers of billing that did not help. */
  attempts: number;
  readonly resolve: (draw: Draw) => void;
  readonly reject: (error: AppError) => void;
}

/** A lease with what is needed to renew it. */
export interface LeaseSlot {
  lease: Lease;
  readonly pool: LeasePool;
  readonly nonce: string;
  readonly granted: Nano;
  /** What the account had left outside leases at the last answer. */
  available: Nano;
  renewAtMs: number;
  renewing: boolean;
  /** When the last acknowledged acquire was sent. */
  askedAtMs: number;
  usedAtMs: number;
}

/** A refusal is remembered for a moment, so that a broke account costs billing little. */
export interface Refusal {
  readonly error: AppError;
  readonly minimum: Nano;
  readonly untilMs: number;
}

/** All that shares leases: an account, or one budgeted key of it. */
export interface LeasePool {
  readonly accountId: string;
  readonly key: string;
  budget: KeyBudget | null;
  /** What may be drawn from, newest first: all but the first leave when nothing is drawn. */
  open: readonly LeaseSlot[];
  readonly waiting: Waiter[];
  acquiring: boolean;
  /** Of an acquire whose answer is not known: asked with again, so that no lease is forgotten. */
  nonce: string | undefined;
  refusal: Refusal | undefined;
  spent: bigint;
  spentSinceMs: number;
  slots: number;
  /** When a request last began or ended. */
  usedAtMs: number;
  /** The last request came only after a lease would have run out: so may the next one. */
  isSlow: boolean;
}

/** The key under which requests share leases. */
export function poolKeyOf(request: Pick<DrawRequest, 'accountId' | 'budget'>): string {
  return request.budget === null
    ? request.accountId
    : `${request.accountId}/${request.budget.keyId}`;
}

/** A pool without leases. */
export function createLeasePool(
  request: Pick<DrawRequest, 'accountId' | 'budget'>,
  nowMs: number,
): LeasePool {
  return {
    accountId: request.accountId,
    key: poolKeyOf(request),
    budget: request.budget,
    open: [],
    waiting: [],
    acquiring: false,
    nonce: undefined,
    refusal: undefined,
    spent: 0n,
    spentSinceMs: nowMs,
    slots: 0,
    usedAtMs: nowMs,
    isSlow: false,
  };
}

/** Nothing of the pool is worth remembering but when it was used. */
export function isPoolIdle(pool: LeasePool, nowMs: number): boolean {
  return (
    pool.slots === 0 &&
    pool.waiting.length === 0 &&
    !pool.acquiring &&
    pool.nonce === undefined &&
    (pool.refusal === undefined || pool.refusal.untilMs <= nowMs)
  );
}

/** Somebody draws or waits. */
export function isPoolBusy(pool: LeasePool): boolean {
  return pool.waiting.length > 0 || pool.open.some(({ lease }) => lease.draws > 0);
}

/** Reserves the amount in the first lease that has it, so that the older ones become idle. */
export function drawFrom(
  pool: Pick<LeasePool, 'open'>,
  rules: LeaseRules,
  amount: Nano,
  nowMs: number,
): Draw | undefined {
  for (const slot of pool.open) {
    const drawn = rules.draw(slot.lease, amount, nowMs);
    if (drawn === undefined) continue;
    slot.lease = drawn;
    slot.usedAtMs = nowMs;
    return { ref: { accountId: drawn.accountId, lease: drawn.lease }, amount };
  }
  return undefined;
}

/** As much of the worst case as one lease pays, when that is at least the minimum. */
export function drawCappedFrom(
  pool: LeasePool,
  rules: LeaseRules,
  { minimum, worst }: DrawRequest,
  nowMs: number,
): Draw | undefined {
  const richestFirst = pool.open.toSorted((a, b) => Number(b.lease.free - a.lease.free));
  for (const slot of richestFirst) {
    const { free } = slot.lease;
    if (free < minimum) return undefined;
    const draw = drawFrom({ open: [slot] }, rules, minNano(free, worst), nowMs);
    if (draw !== undefined) return draw;
  }
  return undefined;
}

const RETRY_AFTER_MS = 1000;
/** A lease counts as used while its last use lies no longer back than this part of its life. */
const RECENT_PARTS = 4;

/** An account is rich while it has this many further slices. */
const RICH_SLICES = 4n;

/** Whether an unused lease is to be given back. */
export function isSpent(slot: LeaseSlot, limits: LeaseLimits, nowMs: number): boolean {
  const { idlePoorMs, idleRichMs } = limits;
  const rich = slot.available >= slot.granted * RICH_SLICES;
  const idleMs = nowMs - slot.usedAtMs;
  return idleMs >= (rich ? idleRichMs : idlePoorMs) || nowMs >= slot.lease.drawableUntilMs;
}

/** Half of the time is left for tries when billing is slow. */
export function renewTime(sentAtMs: number, drawableUntilMs: number): number {
  return sentAtMs + (drawableUntilMs - sentAtMs) / 2;
}

/** Whether requests still come: then the lease is worth a renewal. */
export function wasUsedLately(slot: LeaseSlot, nowMs: number): boolean {
  const lifeMs = slot.lease.drawableUntilMs - slot.askedAtMs;
  return (nowMs - slot.usedAtMs) * RECENT_PARTS <= lifeMs;
}

/** Takes the waiter out of the queue; false when it was served already. */
export function removeWaiter(pool: LeasePool, waiter: Waiter): boolean {
  const index = pool.waiting.indexOf(waiter);
  if (index < 0) return false;
  pool.waiting.splice(index, 1);
  return true;
}

/** A request whose caller is gone waits no longer. */
export function dropWhenAborted(pool: LeasePool, waiter: Waiter, promise: Promise<Draw>): void {
  const { signal } = waiter.request;
  if (signal === undefined) return;
  const onAbort = () => {
    if (removeWaiter(pool, waiter)) waiter.reject(unavailable('the caller is gone'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const forget = () => signal.removeEventListener('abort', onAbort);
  promise.then(forget, forget);
}

/** The credit that the next lease should hold; what was spent is counted anew from here. */
export function takeSlice(pool: LeasePool, nowMs: number): Nano {
  const waiting = pool.waiting.reduce((sum, { request }) => sum + request.worst, 0n);
  const slice = sliceOf({
    waiting: nano(waiting),
    drawn: pool.open[0]?.lease.drawn ?? ZERO_NANO,
    spent: nano(pool.spent),
    spentOverMs: nowMs - pool.spentSinceMs,
  });
  pool.spent = 0n;
  pool.spentSinceMs = nowMs;
  return slice;
}

/**
 * The least that helps one of those who have waited longest. One refusal then decides about all of
 * them, and none is put off for ever by newcomers that need less.
 */
export function minimumToAsk(asking: readonly Waiter[]): Nano {
  const attemptsMax = Math.max(...asking.map(({ attempts }) => attempts));
  const longest = asking.filter(({ attempts }) => attempts === attemptsMax);
  return longest.map(({ request }) => request.minimum).reduce(minNano);
}

/** Credit cannot be decided on now. */
export function unavailable(internalMessage: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: RETRY_AFTER_MS });
}

/** Why a request that waited gets nothing although billing granted something. */
export function shortOf(pool: LeasePool, { request }: Waiter, grant: LeaseGrant): AppError {
  if (grant.remaining >= request.minimum) {
    return unavailable('billing granted no credit that can be drawn');
  }
  const isBudget = pool.budget !== null && grant.available >= request.minimum;
  return new AppError(isBudget ? 'KEY_BUDGET_EXCEEDED' : 'INSUFFICIENT_BALANCE');
}
