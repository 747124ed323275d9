import type { Account, Change, Lease } from './account';

/** A lease that its holder is asked to close. */
export interface RecalledLease {
  readonly number: number;
  readonly lease: Lease;
}

/** Marks the leases, so that a renewal tells their holders too. Answers those that still stand. */
export function markRecall(
  account: Account,
  numbers: readonly number[],
): Change<readonly RecalledLease[]> {
  const standing: RecalledLease[] = [];
  const leases = new Map(account.leases);
  let changed = false;
  for (const number of numbers) {
    const lease = leases.get(number);
    if (lease === undefined) continue;
    changed ||= !lease.recall;
    const marked = lease.recall ? lease : { ...lease, recall: true };
    leases.set(number, marked);
    standing.push({ number, lease: marked });
  }
  return { account: changed ? { ...account, leases } : account, outcome: standing };
}
