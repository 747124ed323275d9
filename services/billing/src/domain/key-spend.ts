import { type Nano, ZERO_NANO } from '@tollgate/core';
import type { Account, Change } from './account';
import { plus } from './amounts';
import { type AccountDraft, draftOf } from './draft';

/** What can name a member of a document and keeps its place in it; numbers would come first. */
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
  const known = draft.keySpend.get(keyId);
  draft.keySpend.delete(keyId);
  draft.keySpend.set(keyId, plus(known ?? ZERO_NANO, charged));
  const [longestAgo] = draft.keySpend.keys();
  if (draft.keySpend.size > keysMax && longestAgo !== undefined) draft.keySpend.delete(longestAgo);
}

/**
 * What the key was charged, in all or since it was counted last; undefined when that is not known.
 */
export function keySpendOf(account: Account, keyId: string, keysMax: number): Nano | undefined {
  const known = account.keySpend.get(keyId);
  if (known !== undefined) return known;
  return account.keySpend.size < keysMax ? ZERO_NANO : undefined;
}

/**
 * Forgets a key that was deleted: its budget and what it spent, which would otherwise take places
 * for ever. Its open leases go on as leases of the account, so that nothing of theirs is lost.
 */
export function forgetKey(account: Account, keyId: string): Change<boolean> {
  const isHeld = [...account.leases.values()].some((lease) => lease.keyId === keyId);
  if (!isHeld && !account.budgets.has(keyId) && !account.keySpend.has(keyId)) {
    return { account, outcome: false };
  }
  const draft = draftOf(account);
  draft.budgets.delete(keyId);
  draft.keySpend.delete(keyId);
  for (const [number, lease] of account.leases) {
    if (lease.keyId === keyId) draft.leases.set(number, { ...lease, keyId: undefined });
  }
  return { account: draft, outcome: true };
}
