// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface AcquireLeaseResponse {
  'lease'?: (number);
  /**
   * What the lease holds now.
   */
  'remaining'?: (number | string | Long);
  'ttlMs'?: (number);
  /**
   * So long before the lease ends its holder stops reserving in it.
   */
  'marginMs'?: (number);
  'nextNumber'?: (number);
  /**
   * The sweeper took this lease's credit back: reserve nothing more in it.
   */
  'swept'?: (boolean);
  /**
   * What the account has left outside leases: a holder with a poor account closes idle leases soon.
   */
  'available'?: (number | string | Long);
  /**
   * Someone else needs this credit: close the lease when it is idle.
   */
  'recalled'?: (boolean);
  /**
   * The balance is below what the account keeps: begin nothing that costs, in any of its leases.
   */
  'spendingSuspended'?: (boolean);
}

export interface AcquireLeaseResponse__Output {
  'lease': (number);
  /**
   * What the lease holds now.
   */
  'remaining': (string);
  'ttlMs': (number);
  /**
   * So long before the lease ends its holder stops reserving in it.
   */
  'marginMs': (number);
  'nextNumber': (number);
  /**
   * The sweeper took this lease's credit back: reserve nothing more in it.
   */
  'swept': (boolean);
  /**
   * What the account has left outside leases: a holder with a poor account closes idle leases soon.
   */
  'available': (string);
  /**
   * Someone else needs this credit: close the lease when it is idle.
   */
  'recalled': (boolean);
  /**
   * The balance is below what the account keeps: begin nothing that costs, in any of its leases.
   */
  'spendingSuspended': (boolean);
}
