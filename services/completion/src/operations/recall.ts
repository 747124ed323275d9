import type { LeaseManager } from '../credit/lease-manager';
import type { BillingPort } from '../domain/billing';
import type { LeaseRef } from '../domain/lease-ref';
import type { UsageSpool } from '../spool/spool';

/**
 * How a recall ended. `closing`: the lease is closed, its CLOSE is on the way to billing; `busy`:
 * requests hold credit of it, or it cannot be said; `unknownClosed`: it was never used, and is closed
 * now; `notHolder`: another spool lives here.
 */
export type LeaseDisposition = 'closing' | 'busy' | 'unknownClosed' | 'notHolder';

export interface RecallDependencies {
  readonly leases: Pick<LeaseManager, 'holds' | 'isAsking' | 'closeWhenFree'>;
  readonly spool: Pick<
    UsageSpool,
    'addLease' | 'closeLease' | 'isClosed' | 'recovered' | 'spoolId'
  >;
  readonly billing: Pick<BillingPort, 'readWatermarks'>;
}

/**
 * Billing wants a lease's credit, or asks whether the lease is known at all. `holder` is the spool
 * that it believes to have it. `busy` makes it ask again: requests still hold the credit, or how
 * far the lease is settled cannot be said now.
 */
export async function recallLease(
  deps: RecallDependencies,
  ref: LeaseRef,
  holder: string,
): Promise<LeaseDisposition> {
  const { leases, spool } = deps;
  if (!spool.recovered) return 'busy';
  if (holder !== spool.spoolId) return 'notHolder';
  const held = leases.closeWhenFree(ref);
  if (held === 'busy') return 'busy';
  if (held === 'closed') return 'closing';
  if (spool.isClosed(ref)) return 'closing';
  if (leases.isAsking(ref.accountId)) return 'busy';
  try {
    return await closeUnknown(deps, ref);
  } catch {
    return 'busy';
  }
}

/** A lease that no answer of billing told us of: its first record here is its CLOSE. */
async function closeUnknown(
  { billing, leases, spool }: RecallDependencies,
  ref: LeaseRef,
): Promise<LeaseDisposition> {
  const [watermark] = await billing.readWatermarks([ref]);
  if (watermark === undefined || leases.holds(ref) || leases.isAsking(ref.accountId)) {
    return 'busy';
  }
  if (watermark.complete || spool.isClosed(ref)) return 'closing';
  spool.addLease(ref, watermark.nextNumber);
  await spool.closeLease(ref);
  return 'unknownClosed';
}
