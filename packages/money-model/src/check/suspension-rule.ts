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

/** Which leases a holder had when it was told that their account spends nothing. */
export interface SuspensionsTold {
  /** The holder has heard of the lease. */
  granted(accountId: string, holder: string, lease: number): void;
  told(accountId: string, holder: string): void;
  /** Credit is reserved in the lease. */
  watch(accountId: string, lease: number, report: (violation: string) => void): void;
}

/** A holder is to heed at once what it was told. */
export function createSuspensionsTold(elapsedMs: () => number): SuspensionsTold {
  const heldBy = new Map<string, Set<number>>();
  const toldMs = new Map<string, number>();
  return {
    granted(accountId, holder, lease) {
      const key = `${accountId}/${holder}`;
      heldBy.set(key, (heldBy.get(key) ?? new Set()).add(lease));
    },
    told(accountId, holder) {
      for (const lease of heldBy.get(`${accountId}/${holder}`) ?? []) {
        const place = `${accountId}/${lease}`;
        if (!toldMs.has(place)) toldMs.set(place, elapsedMs());
      }
    },
    watch(accountId, lease, report) {
      const place = `${accountId}/${lease}`;
      if (elapsedMs() <= (toldMs.get(place) ?? Number.POSITIVE_INFINITY)) return;
      report(`reserved in ${place}, whose holder knows that the account spends nothing`);
    },
  };
}

export function isSuspended({ granted, posted, thresholds }: Account): boolean {
  const below = thresholds?.suspendBelow;
  return below !== undefined && granted - posted < below;
}
