import type { Account, Change, Lease } from './account';
import { draftOf } from './draft';
import type { AccountPolicy } from './policy';
import { releaseRemaining } from './release';

/**
 * Gives the chosen leases up: what they hold returns, and later records of theirs are absorbed in
 * order. Beyond the bound the oldest retired lease is forgotten, which counts as settled in full.
 * Answers the retired numbers.
 */
export function retireLeases(
  account: Account,
  isLost: (lease: Lease) => boolean,
  now: number,
  policy: AccountPolicy,
): Change<readonly number[]> {
  const lost = [...account.leases].filter(([, lease]) => isLost(lease));
  if (lost.length === 0) return { account, outcome: [] };
  const draft = draftOf(account);
  for (const [number, lease] of lost) {
    releaseRemaining(draft, lease, now);
    draft.leases.delete(number);
    draft.retired.set(number, lease.nextSeq);
  }
  const oldestFirst = [...draft.retired.keys()].sort((a, b) => a - b);
  for (const number of oldestFirst.slice(0, -policy.retiredMax)) draft.retired.delete(number);
  return { account: draft, outcome: lost.map(([number]) => number) };
}

/** Whether a swept lease has been silent for so long that its spool counts as lost. */
export function isAbandoned(lease: Lease, now: number, policy: AccountPolicy): boolean {
  return lease.swept && lease.expiresAt + policy.retireAfterMs <= now;
}
