import { type Account, journalAbove } from '@tollgate/billing/model-api';

/**
 * Below the balance that it set an account gets no lease with credit in it, and each time that this
 * begins or ends its owner is told.
 */
export function watchSuspension(
  before: Account,
  after: Account,
  report: (violation: string) => void,
): void {
  const told = journalAbove(after, before.journalNo).flatMap((item) =>
    item.kind === 'notice' && item.notice.type.startsWith('spending.') ? [item.notice.type] : [],
  );
  const [was, is] = [isSuspended(before), isSuspended(after)];
  const wanted = is ? 'spending.suspended' : 'spending.resumed';
  if (was !== is && told.at(-1) !== wanted) report(`${after.id}: nobody is told: ${wanted}`);
  // One write may hold several changes: what was granted between two others is not known here.
  if (!was || !is || told.length > 0) return;
  for (const [number, { remaining }] of after.leases) {
    if (number <= before.leaseNo || remaining === 0n) continue;
    report(`${after.id}/${number} holds ${remaining} though the account spends no more`);
  }
}

export function isSuspended({ granted, posted, thresholds }: Account): boolean {
  const below = thresholds?.suspendBelow;
  return below !== undefined && granted - posted < below;
}
