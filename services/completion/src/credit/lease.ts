import { NANO_MAX, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { LeaseRef } from '../domain/lease-ref';

/**
 * A part of an account's credit that this process works against.
 *
 *   granted ──▶ open ──replaced, or recalled later──▶ closingWhenFree ──nothing reserved──▶ closed
 *                └──swept, suspended, idle, slow,─────▶ draining ─────────nothing reserved────┘
 *                   a budget's other period, or shutdown
 *
 * One that is recalled already when it is granted goes to draining, and so does one that closes when
 * free once its account suspends its spending.
 *
 * Credit is reserved before `usableUntilMs` only, and in the first two of these phases: what a lease
 * that closes when free has free cannot return to the account before its last reservation ends, so
 * until then it is of use here or nowhere. Nothing more is reserved in a draining one. A closed one
 * has a CLOSE record and is kept until billing has settled it.
 */
export interface Lease extends LeaseRef {
  readonly phase: 'open' | 'closingWhenFree' | 'draining' | 'closed';
  /** Neither reserved nor spent. */
  readonly free: Nano;
  /** Held by running requests. */
  readonly reserved: Nano;
  /** How many requests hold it. */
  readonly reservations: number;
  /** Monotonic time until which credit may be reserved. */
  readonly usableUntilMs: number;
}

/** A lease as billing granted it. */
export function createLease(ref: LeaseRef, free: Nano, usableUntilMs: number): Lease {
  const { accountId, lease } = ref;
  const nothing = { reserved: ZERO_NANO, reservations: 0 };
  return { accountId, lease, phase: 'open', free, ...nothing, usableUntilMs };
}

/** The decisions about a lease that keep money right; the model check replaces them one by one. */
export interface LeaseRules {
  /** The lease with `amount` reserved, or undefined when that may not be. */
  reserve(lease: Lease, amount: Nano, monotonicNowMs: number): Lease | undefined;
  /** The lease after the END of a request that had `reserved` and is charged `charged` is durable. */
  spend(lease: Lease, reserved: Nano, charged: Nano): Lease;
  mayClose(lease: Lease): boolean;
  /** Until when credit may be reserved, given when the acknowledged acquire was sent. */
  usableUntilMs(sentMonotonicMs: number, ttlMs: number, marginMs: number): number;
}

/** The rules as they must be. */
export const leaseRules: LeaseRules = {
  reserve(lease, amount, monotonicNowMs) {
    if (lease.phase !== 'open' && lease.phase !== 'closingWhenFree') return undefined;
    if (monotonicNowMs >= lease.usableUntilMs) return undefined;
    if (lease.free < amount) return undefined;
    return {
      ...lease,
      free: nano(lease.free - amount),
      reserved: nano(lease.reserved + amount),
      reservations: lease.reservations + 1,
    };
  },
  spend: (lease, reserved, charged) => ({
    ...lease,
    free: nano(lease.free + reserved - charged),
    reserved: nano(lease.reserved - reserved),
    reservations: lease.reservations - 1,
  }),
  mayClose: (lease) => lease.reservations === 0 && lease.phase !== 'closed',
  usableUntilMs: (sentMonotonicMs, ttlMs, marginMs) => sentMonotonicMs + ttlMs - marginMs,
};

/** The figures that the size of the next lease depends on. */
export interface LeaseDemand {
  /** Worst cases of the requests that wait for credit; together they may pass any amount. */
  readonly waiting: bigint;
  /** Worst cases of the requests that run now: as much will be reserved again. */
  readonly reserved: Nano;
  /** Spent over the last `spentOverMs`. */
  readonly spent: bigint;
  readonly spentOverMs: number;
}

const SPENDING_AHEAD_MS = 2000n;
const SPENT_OVER_MS_MIN = 1000;

/** The amount to ask for: room for what waits and runs, and about two seconds of spending. */
export function leaseAmountFor(demand: LeaseDemand): Nano {
  const overMs = BigInt(Math.max(SPENT_OVER_MS_MIN, Math.round(demand.spentOverMs)));
  const wanted = demand.waiting + demand.reserved + (demand.spent * SPENDING_AHEAD_MS) / overMs;
  return wanted > NANO_MAX ? nano(NANO_MAX) : nano(wanted);
}

/** Bounds of the leases that one process holds. */
export interface LeaseBounds {
  /** Requests of one account that may wait for credit. */
  readonly waitersMax: number;
  /** An idle lease of an account with little left is closed after this time. */
  readonly idlePoorMs: number;
  /**
   * The same for an account with plenty left. An idle lease is not renewed, so it is closed when it
   * ends at the latest.
   */
  readonly idleRichMs: number;
  /** A lease is closed at once when the account's last request came only after this time. */
  readonly slowPaceMs: number;
  /** How long a refusal is remembered, at most 1,000. */
  readonly refusalMs: number;
  /** How often leases are looked after. */
  readonly lookAfterMs: number;
}
