// Original file: tollgate/billing/v1/billing.proto

import type { LedgerEntry as _tollgate_billing_v1_LedgerEntry, LedgerEntry__Output as _tollgate_billing_v1_LedgerEntry__Output } from '../../../tollgate/billing/v1/LedgerEntry';
import type { Long } from '@grpc/proto-loader';

export interface SearchLedgerResponse {
  'entries'?: (_tollgate_billing_v1_LedgerEntry)[];
  /**
   * 0 when nothing follows.
   */
  'nextBeforeSeq'?: (number | string | Long);
}

export interface SearchLedgerResponse__Output {
  'entries': (_tollgate_billing_v1_LedgerEntry__Output)[];
  /**
   * 0 when nothing follows.
   */
  'nextBeforeSeq': (string);
}
