import type { LeaseRef } from '../domain/usage-record';
import type { LeaseManager } from '../leases/lease-manager';
import type { RecallDisposition } from '../leases/lease-parts';

/**
 * Billing asks for credit back, or whether the lease is known at all. When billing cannot say how
 * far the lease is settled, the answer is `busy`: it asks again.
 */
export async function recallLease(
  leases: LeaseManager,
  ref: LeaseRef,
  holder: string,
): Promise<RecallDisposition> {
  try {
    return await leases.recall(ref, holder);
  } catch {
    return 'busy';
  }
}
