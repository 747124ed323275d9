import { type Nano, nano, ZERO_NANO } from '@tollgate/core';
import { type Account, type Change, plus, type SpendWindows } from './account';
import { type AccountDraft, draftOf } from './draft';

function rollWindows(spend: SpendWindows, now: number, windowMs: number): SpendWindows {
  // Clocks of replicas differ: what is less than a window in the future is of this window still. A
  // clock that jumped back by more reads as an empty past.
  const elapsedMs = now - spend.startedAtMs;
  if (elapsedMs <= -windowMs || elapsedMs >= 2 * windowMs) {
    return { startedAtMs: now, current: ZERO_NANO, previous: ZERO_NANO };
  }
  if (elapsedMs < windowMs) return spend;
  return { startedAtMs: spend.startedAtMs + windowMs, current: ZERO_NANO, previous: spend.current };
}

/** The windows after a charge of `amount`. */
export function recordSpend(
  spend: SpendWindows,
  amount: Nano,
  now: number,
  windowMs: number,
): SpendWindows {
  const rolled = rollWindows(spend, now, windowMs);
  return { ...rolled, current: plus(rolled.current, amount) };
}

/** The account's spending in `spanMs`, judged by the last one to two windows. */
export function recentSpend(
  spend: SpendWindows,
  spanMs: number,
  now: number,
  windowMs: number,
): Nano {
  const rolled = rollWindows(spend, now, windowMs);
  const coveredMs = windowMs + Math.max(0, now - rolled.startedAtMs);
  const total = rolled.current + rolled.previous;
  return nano((total * BigInt(spanMs)) / BigInt(coveredMs));
}

/** Names that a document's members can have in a kept order; numbers would come first. */
const COUNTABLE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Counts a charge of the key. The keys stand in the order in which they were charged last; beyond
 * the bound the first one goes: a key that was deleted is not charged again, a new one is.
 */
export function countKeySpend(
  draft: AccountDraft,
  keyId: string,
  charged: Nano,
  keysMax: number,
): void {
  if (charged === 0n || !COUNTABLE.test(keyId)) return;
  const known = draft.chargedByKey.get(keyId);
  draft.chargedByKey.delete(keyId);
  draft.chargedByKey.set(keyId, plus(known ?? ZERO_NANO, charged));
  const [longestAgo] = draft.chargedByKey.keys();
  if (draft.chargedByKey.size <= keysMax || longestAgo === undefined) return;
  draft.chargedByKey.delete(longestAgo);
  draft.chargedKeysDropped = true;
}

/**
 * The key's charges: in all, or since it came back after it was dropped for want of room. Undefined
 * when that is not known.
 */
export function keySpendOf(account: Account, keyId: string, keysMax: number): Nano | undefined {
  const known = account.chargedByKey.get(keyId);
  if (known !== undefined) return known;
  // A full account of a version that did not remember it may have dropped keys as well.
  const isWhole = !account.chargedKeysDropped && account.chargedByKey.size < keysMax;
  return isWhole ? ZERO_NANO : undefined;
}

/**
 * Forgets a key that was deleted: its budget and what it spent, which would otherwise take places
 * for ever. Its open leases go on as leases of the account, so that nothing of theirs is lost.
 */
export function forgetKey(account: Account, keyId: string): Change<boolean> {
  const isHeld = [...account.leases.values()].some((lease) => lease.keyId === keyId);
  if (!isHeld && !account.budgets.has(keyId) && !account.chargedByKey.has(keyId)) {
    return { account, outcome: false };
  }
  const draft = draftOf(account);
  draft.budgets.delete(keyId);
  draft.chargedByKey.delete(keyId);
  for (const [number, lease] of account.leases) {
    if (lease.keyId === keyId) draft.leases.set(number, { ...lease, keyId: undefined });
  }
  return { account: draft, outcome: true };
}
