import type { Account } from './account';

/** The part of an account that says what is settled. */
export type SettlementView = Pick<Account, 'id' | 'leaseNo' | 'retired'> & {
  readonly leases: ReadonlyMap<number, { readonly nextSeq: number }>;
};

/** How far a lease is settled. */
export interface Watermark {
  /** Records below this number are settled. */
  readonly nextNumber: number;
  /** The lease is gone, and with it every record. */
  readonly complete: boolean;
}

/** What a spool may forget about the lease. A lease that was never granted has settled nothing. */
export function watermarkOf(view: SettlementView | undefined, lease: number): Watermark {
  if (view === undefined || lease < 1 || lease > view.leaseNo) {
    return { nextNumber: 1, complete: false };
  }
  const nextNumber = view.leases.get(lease)?.nextSeq ?? view.retired.get(lease);
  return nextNumber === undefined
    ? { nextNumber: 1, complete: true }
    : { nextNumber, complete: false };
}
