// Original file: tollgate/billing/v1/billing.proto

import type { LedgerFilter as _tollgate_billing_v1_LedgerFilter, LedgerFilter__Output as _tollgate_billing_v1_LedgerFilter__Output } from '../../../tollgate/billing/v1/LedgerFilter';

export interface SearchChargesRequest {
  /**
   * Empty: of every account.
   */
  'accountId'?: (string);
  'filter'?: (_tollgate_billing_v1_LedgerFilter | null);
  'limit'?: (number);
  /**
   * The next_before_request_id of the page before; empty begins with the newest.
   */
  'beforeRequestId'?: (string);
}

export interface SearchChargesRequest__Output {
  /**
   * Empty: of every account.
   */
  'accountId': (string);
  'filter': (_tollgate_billing_v1_LedgerFilter__Output | null);
  'limit': (number);
  /**
   * The next_before_request_id of the page before; empty begins with the newest.
   */
  'beforeRequestId': (string);
}
