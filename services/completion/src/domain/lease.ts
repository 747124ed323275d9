import { type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { LeaseRef } from './usage-record';

/**
 * A slice of an account's credit in this process.
 *
 *   grant ──▶ open ──recalled or replaced──▶ leaving ──no draw left──▶ closed
 *               └────swept, or shutdown──────▶ closing ──no draw left────┘
 *
 * A lease is drawn from before its deadline only, while it is open and while it leaves: its free
 * credit cannot go back before its last draw ends, so until then it is of use here or nowhere.
 * Nothing is drawn from a closing one. A closed one has a CLOSE record and is kept until billing
 * settled it.
 */
export interface Lease extends LeaseRef {
  readonly phase: 'open' | 'leaving' | 'closing' | 'closed';
  /** Neither drawn nor spent. */
  readonly free: Nano;
  /** Reserved by running requests. */
  readonly drawn: Nano;
  readonly draws: number;
  /** Monotonic time until which may be drawn. */
  readonly drawableUntilMs: number;
}

/** A lease as billing granted it. */
export function createLease(ref: LeaseRef, free: Nano, drawableUntilMs: number): Lease {
  const { accountId, lease } = ref;
  return { accountId, lease, phase: 'open', free, drawn: ZERO_NANO, draws: 0, drawableUntilMs };
}

/** The decisions about a lease that keep money right; the model check replaces them one by one. */
export interface LeaseRules {
  /** The lease after a draw of `amount`, or undefined when it may not be drawn from it. */
  draw(lease: Lease, amount: Nano, nowMs: number): Lease | undefined;
  /** The lease after a draw's END is durable. */
  giveBack(lease: Lease, drawn: Nano, charged: Nano): Lease;
  mayClose(lease: Lease): boolean;
  /** Until when may be drawn, given when the acknowledged acquire was sent. */
  drawableUntilMs(sentAtMs: number, ttlMs: number, marginMs: number): number;
}

/** The rules as they must be. */
export const leaseRules: LeaseRules = {
  draw(lease, amount, nowMs) {
    if (lease.phase !== 'open' && lease.phase !== 'leaving') return undefined;
    if (nowMs >= lease.drawableUntilMs) return undefined;
    if (lease.free < amount) return undefined;
    return {
      ...lease,
      free: nano(lease.free - amount),
      drawn: nano(lease.drawn + amount),
      draws: lease.draws + 1,
    };
  },
  giveBack: (lease, drawn, charged) => ({
    ...lease,
    free: nano(lease.free + drawn - charged),
    drawn: nano(lease.drawn - drawn),
    draws: lease.draws - 1,
  }),
  mayClose: (lease) => lease.draws === 0 && lease.phase !== 'closed',
  drawableUntilMs: (sentAtMs, ttlMs, marginMs) => sentAtMs + ttlMs - marginMs,
};

/** What the size of the next slice depends on. */
export interface SliceInput {
  /** Worst cases of the requests that wait for credit. */
  readonly waiting: Nano;
  /** Worst cases of the requests that run now: as much will be drawn again. */
  readonly drawn: Nano;
  /** Spent over the last `spentOverMs`. */
  readonly spent: Nano;
  readonly spentOverMs: number;
}

const SLICE_MS = 2000n;
const SPENT_OVER_MS_MIN = 1000;

/** What to ask billing for: room for what waits and runs, and about two seconds of spending. */
export function sliceOf(input: SliceInput): Nano {
  const overMs = BigInt(Math.max(SPENT_OVER_MS_MIN, Math.round(input.spentOverMs)));
  return nano(input.waiting + input.drawn + (input.spent * SLICE_MS) / overMs);
}
