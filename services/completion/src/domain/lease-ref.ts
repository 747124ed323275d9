import type { Budget, RecordPlace } from '@tollgate/core';

/** The budget of a key, which has credit leases of its own. */
export interface KeyBudget extends Budget {
  readonly keyId: string;
}

/** Names a lease: billing numbers leases within an account. */
export interface LeaseRef {
  readonly accountId: string;
  /** Its number: the name that it has in usage records, in the spool and on the wire. */
  readonly lease: number;
}

/** One text for a lease, for use as a map key. */
export function leaseKeyOf(ref: LeaseRef): string {
  return `${ref.accountId}/${ref.lease}`;
}

/** The place of a record that its writer makes the `number`th of the lease. */
export function placeOf(
  { accountId, lease }: LeaseRef,
  number: number,
  { epoch, holder }: Pick<RecordPlace, 'epoch' | 'holder'>,
): Pick<RecordPlace, 'accountId' | 'epoch' | 'holder' | 'lease' | 'number'> {
  return { accountId, lease, number, holder, epoch };
}

/** How far a lease is settled: every record below `nextNumber`, or all of them. */
export interface LeaseWatermark extends LeaseRef {
  readonly nextNumber: number;
  readonly complete: boolean;
  /** Billing never granted the lease, as after a restore: nobody waits until its records settle. */
  readonly neverGranted?: boolean;
}
