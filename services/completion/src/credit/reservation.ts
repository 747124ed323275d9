import {
  AppError,
  ERROR_CODES,
  formatAmount,
  minNano,
  type Nano,
  nano,
  toAppError,
} from '@tollgate/core';
import type { KeyBudget, LeaseRef } from '../domain/lease-ref';
import type { Lease, LeaseRules } from './lease';

/** Credit that a request asks for. */
export interface ReservationRequest {
  readonly accountId: string;
  /** Set when the key has a budget: it has leases apart from the account's other keys. */
  readonly budget: KeyBudget | undefined;
  /** The most that the request may cost. */
  readonly worst: Nano;
  /** The least that it can start with; equal to `worst` when its answer must not be capped. */
  readonly minimum: Nano;
  /** The least while the account has credit besides. */
  readonly minimumBesideCredit: Nano;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Credit held for one request. */
export interface Reservation {
  readonly ref: LeaseRef;
  /** Between the request's minimum and its worst case. */
  readonly amount: Nano;
  /** Less than the worst case, while the account had credit besides. */
  readonly isBesideCredit?: boolean;
}

/** A lease in which credit is reserved. */
export interface LeaseInUse {
  lease: Lease;
  /** When a request last began or ended in it. */
  usedMonotonicMs: number;
  /** Of what was free when it closed, as much as billing is known to have got back. */
  returned: bigint;
}

/** Reserves the amount in the first lease that has it, so that the older ones become idle. */
export function reserveIn(
  usable: readonly LeaseInUse[],
  rules: LeaseRules,
  amount: Nano,
  monotonicNowMs: number,
): Reservation | undefined {
  for (const held of usable) {
    const lease = rules.reserve(held.lease, amount, monotonicNowMs);
    if (lease === undefined) continue;
    held.lease = lease;
    held.usedMonotonicMs = monotonicNowMs;
    return { ref: { accountId: lease.accountId, lease: lease.lease }, amount };
  }
  return undefined;
}

/** As much of the worst case as one lease of `usable` pays, when that is at least the minimum. */
export function reserveCappedIn<InUse extends LeaseInUse>(
  usable: readonly InUse[],
  hasMoreThan: (held: InUse) => boolean,
  rules: LeaseRules,
  { minimum, minimumBesideCredit, worst }: ReservationRequest,
  monotonicNowMs: number,
): Reservation | undefined {
  const richestFirst = usable.toSorted((a, b) => Number(b.lease.free - a.lease.free));
  for (const held of richestFirst) {
    const amount = minNano(held.lease.free, worst);
    if (amount < minimum) return undefined;
    const isBesideCredit = hasMoreThan(held);
    if (isBesideCredit && amount < minimumBesideCredit) return undefined;
    const reservation = reserveIn([held], rules, amount, monotonicNowMs);
    if (reservation !== undefined) return { ...reservation, isBesideCredit };
  }
  return undefined;
}

/**
 * Whether an account has credit besides what this lease of it has free. What closed leases
 * have left counts only when it is more than this lease has free: billing may have settled them
 * before we heard of it, and granted this lease from that very credit.
 */
export function hasCreditBeside(held: LeaseInUse, leases: Iterable<LeaseInUse>): boolean {
  let inClosed = 0n;
  for (const other of leases) {
    const { free, phase, reserved } = other.lease;
    if (reserved > 0n) return true;
    if (other === held) continue;
    if (phase === 'closed') inClosed += leftIn(other);
    else if (free > 0n) return true;
  }
  return inClosed > held.lease.free;
}

/** What the lease has free, without what billing is known to have got back of it. */
export function leftIn({ returned, lease }: LeaseInUse): Nano {
  return nano(lease.free - returned);
}

/**
 * So much came to the account's credit outside of leases: it is taken for that of closed ones, oldest
 * first, though the spool has not heard that they are settled. It may have come from elsewhere, such as
 * a top-up or the lease of another instance. Then less is believed to be in closed leases than there
 * is, and the worst of it is that a request begins at its estimate: nobody is refused for it.
 */
export function noteReturned(closed: Iterable<LeaseInUse>, amount: bigint): void {
  let left = amount;
  for (const held of closed) {
    if (left <= 0n) return;
    const part = minNano(nano(left), leftIn(held));
    held.returned += part;
    left -= part;
  }
}

/**
 * The failure of a reservation: one for want of money says how much the request needs at least, and
 * what to do: waiting helps where the account has as much, and other requests hold it. Billing may
 * have a reason of its own, such as a balance that the account keeps.
 */
export function explainShortage(error: unknown, need: Need | undefined): AppError {
  const minimum = need?.minimum;
  const failure = toAppError(error);
  const { balance, code } = failure;
  const isHeld = minimum !== undefined && balance !== undefined && balance >= minimum;
  const shortOf = isHeld ? HELD : SHORT_OF[code as keyof typeof SHORT_OF];
  if (shortOf === undefined || minimum === undefined) return failure;
  if (failure.publicMessage !== ERROR_CODES[code].publicMessage) return failure;
  const unit = need?.currency ? ` ${need.currency}` : '';
  const told = `${shortOf[0]}: this request needs at least ${formatAmount(minimum)}${unit}.`;
  // Where nothing is left no request is small enough.
  const advice = balance !== undefined && balance <= 0n ? 'Please top up.' : shortOf[1];
  return new AppError(code, { publicMessage: `${told} ${advice}` });
}

/** What a request needs at least, in the currency of its model. */
export interface Need {
  readonly minimum: Nano;
  readonly currency: string | undefined;
}

/** Where the account has as much, but other requests hold it. */
const HELD = [
  'What is left of the balance is held by other requests',
  'Wait until they have ended, or lower max_tokens.',
] as const;
/** What is too little, and what to do about it. */
const SHORT_OF = {
  INSUFFICIENT_BALANCE: ['The balance is too low', 'Please top up, or lower max_tokens.'],
  KEY_BUDGET_EXCEEDED: [
    'The budget of this API key has too little left in its current period',
    'Raise max_budget, or lower max_tokens.',
  ],
} as const;

const UNDECIDED_RETRY_AFTER_MS = 1000;

/** The error of a reservation that cannot be decided on now. */
export function creditUnavailable(internalMessage: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage,
    retryAfterMs: UNDECIDED_RETRY_AFTER_MS,
  });
}
