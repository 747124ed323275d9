import { ZERO_NANO } from '@tollgate/core';
import type { Account, Change } from './account';
import { draftOf } from './draft';
import { releaseRemaining } from './release';

/**
 * Takes back what expired leases hold. They keep their place, so that late records still settle in
 * order; only their holder's CLOSE or their retirement removes them. Answers the swept numbers.
 */
export function sweepLeases(account: Account, now: number): Change<readonly number[]> {
  const expired = [...account.leases].filter(([, lease]) => !lease.swept && lease.expiresAt <= now);
  if (expired.length === 0) return { account, outcome: [] };
  const draft = draftOf(account);
  for (const [number, lease] of expired) {
    releaseRemaining(draft, lease, now);
    draft.leases.set(number, { ...lease, remaining: ZERO_NANO, swept: true });
  }
  return { account: draft, outcome: expired.map(([number]) => number) };
}
