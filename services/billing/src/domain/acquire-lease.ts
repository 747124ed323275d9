import { type Budget, maxNano, minNano, type Nano, nano, ZERO_NANO } from '@tollgate/core';
import {
  type Account,
  type BudgetSpend,
  balanceOf,
  type Change,
  type Lease,
  minus,
  plus,
} from './account';
import type { AccountBounds } from './account-bounds';
import { budgetRoom, currentBudget, evictIdleBudgets, notifyOfBudget } from './budgets';
import { type AccountDraft, addNotice, draftOf, hasJournalRoom } from './draft';
import { findRecallable } from './lease-lifecycle';
import { recentSpend } from './spend';
import { defaultThresholdOf, isSpendingSuspended } from './thresholds';

/** The budget of a key as a request carries it. */
type KeyBudget = Budget & { readonly keyId: string };

/** A holder's request for a lease. */
export interface AcquireLease {
  readonly holder: string;
  readonly holderAddress: string;
  /** Unique per lease; a repeat answers the same lease and renews its expiry. */
  readonly nonce: string;
  /** The amount that the holder wants, at least its request's worst case. */
  readonly amount: Nano;
  /** The least that is of use: less is refused. With 0 it is never refused for want of credit. */
  readonly minimum: Nano;
  /** Present when the request's key has a budget: the lease is then the key's own. */
  readonly budget: KeyBudget | undefined;
}

/** A lease as its holder sees it. */
export interface AcquiredLease {
  readonly leaseNumber: number;
  readonly remaining: Nano;
  readonly nextNumber: number;
  /** Reserve nothing: the credit went back to the account. */
  readonly swept: boolean;
  readonly recalled: boolean;
  /** The account's credit outside leases. */
  readonly available: Nano;
  /** The account has less than it keeps: nothing that costs is to begin. */
  readonly suspended: boolean;
}

/** Why nothing was granted, and which leases could make room when their holders close them. */
export interface AcquireRefusal {
  readonly kind: 'insufficient' | 'budgetExceeded' | 'tooManyLeases';
  readonly recallable: readonly number[];
  /** The owner is to be notified that the balance or the budget is used up: once, so not again. */
  readonly noticeDue: boolean;
  /** The balance below which the account wants to spend nothing, where that is the reason. */
  readonly suspendBelow?: Nano | undefined;
  /** What the account has, leased or not, where that is the reason. */
  readonly balance?: Nano;
}

export type AcquireOutcome =
  | { readonly kind: 'granted' | 'renewed'; readonly acquired: AcquiredLease }
  | AcquireRefusal
  /** One more budgeted key does not fit the account. */
  | { readonly kind: 'tooManyBudgets' }
  /** The nonce stands in a lease of another holder. */
  | { readonly kind: 'nonceTaken' };

/** Open and swept leases together may be this many times those that may be open. */
const KEPT_PER_OPEN_LEASE = 4;

function acquiredOf(account: Account, leaseNumber: number, lease: Lease): AcquiredLease {
  return {
    leaseNumber,
    remaining: lease.remaining,
    nextNumber: lease.nextNumber,
    swept: lease.swept,
    recalled: lease.recall,
    available: account.available,
    suspended: isSpendingSuspended(account),
  };
}

function renew(
  account: Account,
  leaseNumber: number,
  lease: Lease,
  expiresAtMs: number,
): Change<AcquireOutcome> {
  // A swept lease holds nothing that a longer life could protect.
  if (lease.swept) {
    return {
      account,
      outcome: { kind: 'renewed', acquired: acquiredOf(account, leaseNumber, lease) },
    };
  }
  // Always later, also by a clock that is behind: the sweeper knows a renewal by nothing else.
  const renewed = { ...lease, expiresAtMs: Math.max(lease.expiresAtMs + 1, expiresAtMs) };
  const next = { ...account, leases: new Map(account.leases).set(leaseNumber, renewed) };
  return {
    account: next,
    outcome: { kind: 'renewed', acquired: acquiredOf(next, leaseNumber, renewed) },
  };
}

/** The leases that expire first: renewed long ago, so most likely idle. */
function stalest(account: Account, count: number): readonly number[] {
  return [...account.leases]
    .filter(([, { swept }]) => !swept)
    .sort(([, a], [, b]) => a.expiresAtMs - b.expiresAtMs)
    .slice(0, count)
    .map(([leaseNumber]) => leaseNumber);
}

/**
 * Swept leases, whose holders may be gone for long, keep nobody out until they are several times as
 * many as may be open: the document has a bound.
 */
function isFull(account: Account, { leasesMax }: AccountBounds): boolean {
  const { size } = account.leases;
  if (size < leasesMax) return false;
  if (size >= leasesMax * KEPT_PER_OPEN_LEASE) return true;
  let open = 0;
  for (const { swept } of account.leases.values()) if (!swept) open += 1;
  return open >= leasesMax;
}

/** Idle budgets make way for the key's, where it has no place yet. */
function makeRoomForBudget(draft: AccountDraft, keyId: string, now: number, max: number): void {
  if (!hasRoomForBudget(draft, keyId, max)) evictIdleBudgets(draft, now);
}

function hasRoomForBudget({ budgets }: Account, keyId: string, max: number): boolean {
  return budgets.has(keyId) || budgets.size < max;
}

/** Whether the owner is to be notified that the balance is used up. */
function isExhaustionNoticeDue(account: Account): boolean {
  return !account.exhaustedNotified && balanceOf(account) <= defaultThresholdOf(account);
}

/** Why the lease cannot be granted, or undefined when it can. */
function leaseRefusalOf(
  account: Account,
  command: AcquireLease,
  budget: BudgetSpend | undefined,
  bounds: AccountBounds,
): AcquireOutcome | undefined {
  const { minimum } = command;
  if (isFull(account, bounds)) {
    const recallable = stalest(account, bounds.recallsMax);
    return { kind: 'tooManyLeases', recallable, noticeDue: false };
  }
  if (budget !== undefined && command.budget !== undefined) {
    const { keyId } = command.budget;
    if (!hasRoomForBudget(account, keyId, bounds.budgetsMax)) {
      return { kind: 'tooManyBudgets' };
    }
    const room = budgetRoom(budget);
    if (room < minimum) {
      const recallable = findRecallable(account, room, minimum, keyId);
      return { kind: 'budgetExceeded', recallable, noticeDue: !budget.notified };
    }
  }
  if (minimum > 0n && isSpendingSuspended(account)) {
    const suspendBelow = account.thresholds?.suspendBelow;
    return { kind: 'insufficient', recallable: [], noticeDue: false, suspendBelow };
  }
  if (account.available < minimum) {
    const recallable = findRecallable(account, account.available, minimum, undefined);
    const noticeDue = isExhaustionNoticeDue(account);
    return { kind: 'insufficient', recallable, noticeDue, balance: balanceOf(account) };
  }
  return undefined;
}

/**
 * The size of the lease: the request's worst case, or `leaseSpendMs` of recent spend where the account
 * can spare it, never more than the account or the key has. A holder that asks for nothing (own
 * channels cost nothing) gets a lease with nothing in it; so does one that can do with nothing while
 * the account's spending is suspended.
 */
function leaseSizeOf(
  account: Account,
  command: AcquireLease,
  budget: BudgetSpend | undefined,
  context: { readonly now: number; readonly bounds: AccountBounds },
): Nano {
  const asked = maxNano(command.amount, command.minimum);
  if (asked === 0n || isSpendingSuspended(account)) return ZERO_NANO;
  const { leaseSpendMs, spendWindowMs, leaseShareDivisor } = context.bounds;
  const spend = recentSpend(account.spend, leaseSpendMs, context.now, spendWindowMs);
  const affordable = nano(account.available / leaseShareDivisor);
  const wanted = maxNano(asked, minNano(spend, affordable));
  const size = minNano(wanted, account.available);
  return budget === undefined ? size : minNano(size, budgetRoom(budget));
}

/** Grants a part of the account's credit, renews the lease of the nonce, or says why not. */
export function acquireLease(
  account: Account,
  command: AcquireLease,
  now: number,
  bounds: AccountBounds,
): Change<AcquireOutcome> {
  const expiresAtMs = now + bounds.leaseTtlMs;
  for (const [leaseNumber, lease] of account.leases) {
    if (lease.nonce !== command.nonce) continue;
    if (lease.holder !== command.holder) return { account, outcome: { kind: 'nonceTaken' } };
    return renew(account, leaseNumber, lease, expiresAtMs);
  }
  const draft = draftOf(account);
  const { keyId } = command.budget ?? {};
  let budget: BudgetSpend | undefined;
  if (command.budget !== undefined && keyId !== undefined) {
    makeRoomForBudget(draft, keyId, now, bounds.budgetsMax);
    const { limit, period } = command.budget;
    budget = currentBudget(draft.budgets.get(keyId), { limit, period }, now);
  }
  const refusal = leaseRefusalOf(draft, command, budget, bounds);
  if (refusal !== undefined) return { account, outcome: refusal };
  const size = leaseSizeOf(draft, command, budget, { now, bounds });
  draft.leaseNo += 1;
  draft.available = minus(draft.available, size);
  const lease: Lease = {
    nonce: command.nonce,
    holder: command.holder,
    holderAddress: command.holderAddress,
    keyId,
    remaining: size,
    nextNumber: 1,
    expiresAtMs,
    swept: false,
    recall: false,
  };
  draft.leases.set(draft.leaseNo, lease);
  if (budget !== undefined && keyId !== undefined) {
    draft.budgets.set(keyId, { ...budget, leased: plus(budget.leased, size) });
  }
  return {
    account: draft,
    outcome: { kind: 'granted', acquired: acquiredOf(draft, draft.leaseNo, lease) },
  };
}

/** The owner's notice of a refusal. */
export type RefusalNotice =
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'budgetExceeded'; readonly budget: KeyBudget };

/** Notifies of the budget that a request carried, which no lease may have brought here yet. */
function notifyOfCarriedBudget(
  draft: AccountDraft,
  { keyId, limit, period }: KeyBudget,
  now: number,
  bounds: AccountBounds,
): void {
  makeRoomForBudget(draft, keyId, now, bounds.budgetsMax);
  if (!hasRoomForBudget(draft, keyId, bounds.budgetsMax)) return;
  draft.budgets.set(keyId, currentBudget(draft.budgets.get(keyId), { limit, period }, now));
  notifyOfBudget(draft, keyId, now);
}

/** Notifies that a request had to be refused: once until the next credit, or per period. */
export function notifyOfRefusal(
  account: Account,
  refusal: RefusalNotice,
  now: number,
  bounds: AccountBounds,
): Change<undefined> {
  const unchanged = { account, outcome: undefined };
  if (!hasJournalRoom(account, bounds.journalMax)) return unchanged;
  const draft = draftOf(account);
  if (refusal.kind === 'budgetExceeded') {
    notifyOfCarriedBudget(draft, refusal.budget, now, bounds);
    return draft.noticeSeq === account.noticeSeq
      ? unchanged
      : { account: draft, outcome: undefined };
  }
  // Since the refusal credit may have come.
  if (!isExhaustionNoticeDue(account)) return unchanged;
  draft.exhaustedNotified = true;
  addNotice(draft, { type: 'balance.exhausted', available: draft.available }, now);
  return { account: draft, outcome: undefined };
}
