// Original file: tollgate/billing/v1/billing.proto

import type { LedgerEntry as _tollgate_billing_v1_LedgerEntry, LedgerEntry__Output as _tollgate_billing_v1_LedgerEntry__Output } from '../../../tollgate/billing/v1/LedgerEntry';

export interface SearchChargesResponse {
  'entries'?: (_tollgate_billing_v1_LedgerEntry)[];
  /**
   * Empty when nothing follows.
   */
  'nextBeforeRequestId'?: (string);
}

export interface SearchChargesResponse__Output {
  'entries': (_tollgate_billing_v1_LedgerEntry__Output)[];
  /**
   * Empty when nothing follows.
   */
  'nextBeforeRequestId': (string);
}
