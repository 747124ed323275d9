import { type Nano, ZERO_NANO } from '@tollgate/core';
import { type Account, type Change, plus } from './account';
import { type AccountDraft, draftOf } from './draft';

/** Names that a document's members can have in a kept order; numbers would come first. */
const COUNTABLE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Counts a charge of the key. The keys stand in the order in which they were charged last; beyond
 * the bound the first one goes. A deleted key whose last requests end later takes a place again.
 */
export function countKeyCharge(
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
export function chargedOfKey(account: Account, keyId: string, keysMax: number): Nano | undefined {
  const known = account.chargedByKey.get(keyId);
  if (known !== undefined) return known;
  // A full account of a version that did not remember it may have dropped keys as well.
  const isWhole = !account.chargedKeysDropped && account.chargedByKey.size < keysMax;
  return isWhole ? ZERO_NANO : undefined;
}

/**
 * Forgets a key that was deleted: its budget and what it was charged, which would otherwise take
 * places for ever. Its open leases go on as leases of the account, so that nothing of theirs is lost.
 */
export function forgetKey(account: Account, keyId: string): Change<boolean> {
  const isHeld = [...account.leases.values()].some((lease) => lease.keyId === keyId);
  if (!isHeld && !account.budgets.has(keyId) && !account.chargedByKey.has(keyId)) {
    return { account, outcome: false };
  }
  const draft = draftOf(account);
  draft.budgets.delete(keyId);
  draft.chargedByKey.delete(keyId);
  for (const [leaseNumber, lease] of account.leases) {
    if (lease.keyId === keyId) draft.leases.set(leaseNumber, { ...lease, keyId: undefined });
  }
  return { account: draft, outcome: true };
}
