import type { Nano, NumberedRecord } from '@tollgate/core';
import type { KeyBudget, LeaseRef, LeaseWatermark } from './lease-ref';

/** A request to billing for a lease. */
export interface AcquireRequest {
  readonly accountId: string;
  /** Unique per lease; a repeat finds the same lease and renews it. */
  readonly nonce: string;
  readonly amount: Nano;
  /** Less is not granted; 0 is refused for no want of credit. */
  readonly minimum: Nano;
  readonly budget: KeyBudget | undefined;
}

/** Billing's answer. */
export interface AcquiredLease {
  /** Its number. */
  readonly lease: number;
  readonly remaining: Nano;
  readonly ttlMs: number;
  readonly marginMs: number;
  readonly nextNumber: number;
  /** Its credit was taken back: nothing may be reserved. */
  readonly swept: boolean;
  /** The account's credit outside leases. */
  readonly available: Nano;
  /** Someone else needs the credit. */
  readonly recalled: boolean;
  /** The account has less than it keeps: nothing that costs is to begin in any of its leases. */
  readonly suspended: boolean;
}

/** Billing, as this service uses it. Failures are AppErrors. */
export interface BillingPort {
  acquireLease(request: AcquireRequest): Promise<AcquiredLease>;
  readWatermarks(leases: readonly LeaseRef[]): Promise<readonly LeaseWatermark[]>;
  settleUsage(records: readonly NumberedRecord[]): Promise<readonly LeaseWatermark[]>;
}
