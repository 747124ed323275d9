// Original file: tollgate/billing/v1/billing.proto

import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from '../../../tollgate/billing/v1/KeyBudget';
import type { Long } from '@grpc/proto-loader';

export interface AcquireLeaseRequest {
  'accountId'?: (string);
  /**
   * The spool id of the completion instance.
   */
  'holder'?: (string);
  /**
   * Where RecallLease reaches the holder.
   */
  'holderAddress'?: (string);
  /**
   * Unique per lease; a repeat answers the same lease and renews its expiry.
   */
  'nonce'?: (string);
  'amount'?: (number | string | Long);
  /**
   * Less than this is not granted; 0 is refused for no want of credit.
   */
  'minimum'?: (number | string | Long);
  /**
   * Absent for keys without a budget.
   */
  'keyBudget'?: (_tollgate_billing_v1_KeyBudget | null);
}

export interface AcquireLeaseRequest__Output {
  'accountId': (string);
  /**
   * The spool id of the completion instance.
   */
  'holder': (string);
  /**
   * Where RecallLease reaches the holder.
   */
  'holderAddress': (string);
  /**
   * Unique per lease; a repeat answers the same lease and renews its expiry.
   */
  'nonce': (string);
  'amount': (string);
  /**
   * Less than this is not granted; 0 is refused for no want of credit.
   */
  'minimum': (string);
  /**
   * Absent for keys without a budget.
   */
  'keyBudget': (_tollgate_billing_v1_KeyBudget__Output | null);
}
