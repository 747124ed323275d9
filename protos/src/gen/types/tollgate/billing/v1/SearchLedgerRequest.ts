// Original file: tollgate/billing/v1/billing.proto

import type { LedgerFilter as _tollgate_billing_v1_LedgerFilter, LedgerFilter__Output as _tollgate_billing_v1_LedgerFilter__Output } from '../../../tollgate/billing/v1/LedgerFilter';
import type { Long } from '@grpc/proto-loader';

export interface SearchLedgerRequest {
  'accountId'?: (string);
  'filter'?: (_tollgate_billing_v1_LedgerFilter | null);
  'limit'?: (number);
  /**
   * The next_before_seq of the page before; 0 begins with the newest.
   */
  'beforeSeq'?: (number | string | Long);
}

export interface SearchLedgerRequest__Output {
  'accountId': (string);
  'filter': (_tollgate_billing_v1_LedgerFilter__Output | null);
  'limit': (number);
  /**
   * The next_before_seq of the page before; 0 begins with the newest.
   */
  'beforeSeq': (string);
}
