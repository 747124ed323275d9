import { type Nano, ZERO_NANO } from '@tollgate/core';
import { type Account, type Change, type Lease, minusToZero, plus } from './account';
import type { AccountBounds } from './account-bounds';
import { rollBudget } from './budgets';
import { type AccountDraft, draftOf } from './draft';

/** A lease that its holder is asked to close. */
export interface RecalledLease {
  readonly leaseNumber: number;
  readonly lease: Lease;
}

/** The leases whose credit could come back, when together with `free` they reach the minimum. */
export function findRecallable(
  account: Account,
  free: Nano,
  minimum: Nano,
  keyId: string | undefined,
): readonly number[] {
  const numbers: number[] = [];
  let reachable: bigint = free;
  for (const [leaseNumber, lease] of account.leases) {
    if (lease.swept || lease.remaining === 0n) continue;
    if (keyId !== undefined && lease.keyId !== keyId) continue;
    numbers.push(leaseNumber);
    reachable += lease.remaining;
  }
  return reachable >= minimum ? numbers : [];
}

/** Marks the leases, so that a renewal tells their holders too. Answers those that still stand. */
export function markRecall(
  account: Account,
  leaseNumbers: readonly number[],
): Change<readonly RecalledLease[]> {
  const recalled: RecalledLease[] = [];
  const leases = new Map(account.leases);
  let changed = false;
  for (const leaseNumber of leaseNumbers) {
    const lease = leases.get(leaseNumber);
    if (lease === undefined) continue;
    changed ||= !lease.recall;
    const marked = lease.recall ? lease : { ...lease, recall: true };
    leases.set(leaseNumber, marked);
    recalled.push({ leaseNumber, lease: marked });
  }
  return { account: changed ? { ...account, leases } : account, outcome: recalled };
}

/**
 * Takes back what expired leases hold. They keep their place, so that late records still settle in
 * order; only their holder's CLOSE or their retirement removes them. Answers the swept numbers.
 *
 * `unrenewedExpiries` has the expiry of each lease that did not move for a whole lifetime, though
 * each renewal moves it. A lease that still has it has expired. Here an expiry is not compared with
 * the time: another machine's clock wrote it.
 */
export function sweepLeases(
  account: Account,
  unrenewedExpiries: ReadonlyMap<number, number>,
  now: number,
): Change<readonly number[]> {
  const expired = [...account.leases].filter(
    ([leaseNumber, { swept, expiresAtMs }]) =>
      !swept && unrenewedExpiries.get(leaseNumber) === expiresAtMs,
  );
  if (expired.length === 0) return { account, outcome: [] };
  const draft = draftOf(account);
  for (const [leaseNumber, lease] of expired) {
    releaseRemaining(draft, lease, now);
    draft.leases.set(leaseNumber, { ...lease, remaining: ZERO_NANO, swept: true });
  }
  return { account: draft, outcome: expired.map(([leaseNumber]) => leaseNumber) };
}

/**
 * Gives the chosen leases up: what they hold returns, and later records of theirs are absorbed in
 * order. Beyond the bound the oldest retired lease is forgotten: what comes of it is taken as settled.
 * Answers the retired numbers.
 */
export function retireLeases(
  account: Account,
  isChosen: (lease: Lease) => boolean,
  now: number,
  bounds: AccountBounds,
): Change<readonly number[]> {
  const chosen = [...account.leases].filter(([, lease]) => isChosen(lease));
  if (chosen.length === 0) return { account, outcome: [] };
  const draft = draftOf(account);
  for (const [leaseNumber, lease] of chosen) {
    releaseRemaining(draft, lease, now);
    draft.leases.delete(leaseNumber);
    draft.retired.set(leaseNumber, lease.nextNumber);
  }
  const oldestFirst = [...draft.retired.keys()].sort((a, b) => a - b);
  for (const forgotten of oldestFirst.slice(0, -bounds.retiredMax)) draft.retired.delete(forgotten);
  return { account: draft, outcome: chosen.map(([leaseNumber]) => leaseNumber) };
}

/**
 * Whether a swept lease has been silent for so long that its spool counts as lost: after weeks it does
 * not matter by what the clocks of two machines differ.
 */
export function isLost(lease: Lease, now: number, bounds: AccountBounds): boolean {
  return lease.swept && lease.expiresAtMs + bounds.retireAfterMs <= now;
}

/** Gives what the lease still holds back to the account and to its key. */
export function releaseRemaining(draft: AccountDraft, lease: Lease, now: number): void {
  if (lease.remaining === 0n) return;
  draft.available = plus(draft.available, lease.remaining);
  const budget = lease.keyId === undefined ? undefined : draft.budgets.get(lease.keyId);
  if (lease.keyId !== undefined && budget !== undefined) {
    const rolled = rollBudget(budget, now);
    const leased = minusToZero(rolled.leased, lease.remaining);
    draft.budgets.set(lease.keyId, { ...rolled, leased });
  }
}

/** The part of an account that says what is settled. */
export type WatermarkView = Pick<Account, 'id' | 'leaseNo' | 'retired'> & {
  readonly leases: ReadonlyMap<number, { readonly nextNumber: number }>;
};

/** How far a lease is settled. */
export interface Watermark {
  /** Records below this number are settled. */
  readonly nextNumber: number;
  /** The lease is gone, and with it every record. */
  readonly complete: boolean;
  /** The account was never granted the lease, as after a restore. */
  readonly neverGranted?: boolean;
}

/** How far a spool may forget the lease's records; nothing of a lease that was never granted. */
export function watermarkOf(view: WatermarkView | undefined, leaseNumber: number): Watermark {
  if (view === undefined || leaseNumber < 1 || leaseNumber > view.leaseNo) {
    return { nextNumber: 1, complete: false, neverGranted: true };
  }
  const nextNumber = view.leases.get(leaseNumber)?.nextNumber ?? view.retired.get(leaseNumber);
  return nextNumber === undefined
    ? { nextNumber: 1, complete: true }
    : { nextNumber, complete: false };
}
