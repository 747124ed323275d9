import { ZERO_NANO } from '@tollgate/core';
import type { Account, Change } from './account';
import { draftOf } from './draft';
import { releaseRemaining } from './release';

/**
 * Takes back what expired leases hold. They keep their place, so that late records still settle in
 * order; only their holder's CLOSE or their retirement removes them. Answers the swept numbers.
 *
 * A lease has expired when the expiry with which it was seen `stood` still for a whole lifetime:
 * each renewal moves it. It is never compared with the time: other machines' clocks wrote it.
 */
export function sweepLeases(
  account: Account,
  stood: ReadonlyMap<number, number>,
  now: number,
): Change<readonly number[]> {
  const expired = [...account.leases].filter(
    ([number, lease]) => !lease.swept && stood.get(number) === lease.expiresAt,
  );
  if (expired.length === 0) return { account, outcome: [] };
  const draft = draftOf(account);
  for (const [number, lease] of expired) {
    releaseRemaining(draft, lease, now);
    draft.leases.set(number, { ...lease, remaining: ZERO_NANO, swept: true });
  }
  return { account: draft, outcome: expired.map(([number]) => number) };
}
