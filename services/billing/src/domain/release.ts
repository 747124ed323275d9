import { type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { Lease } from './account';
import { minusToZero, plus } from './amounts';
import { rollBudget } from './budgets';
import type { AccountDraft } from './draft';

/** Gives what the lease still holds back to the account and to its key; answers how much. */
export function releaseRemaining(draft: AccountDraft, lease: Lease, now: number): Nano {
  if (lease.remaining === 0n) return ZERO_NANO;
  draft.available = plus(draft.available, lease.remaining);
  const budget = lease.keyId === undefined ? undefined : draft.budgets.get(lease.keyId);
  if (lease.keyId !== undefined && budget !== undefined) {
    const rolled = rollBudget(budget, now);
    const leased = minusToZero(rolled.leased, lease.remaining);
    draft.budgets.set(lease.keyId, { ...rolled, leased });
  }
  return nano(lease.remaining);
}
