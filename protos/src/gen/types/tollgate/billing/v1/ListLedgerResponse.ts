// Original file: tollgate/billing/v1/billing.proto

import type { LedgerEntry as _tollgate_billing_v1_LedgerEntry, LedgerEntry__Output as _tollgate_billing_v1_LedgerEntry__Output } from '../../../tollgate/billing/v1/LedgerEntry';
import type { Long } from '@grpc/proto-loader';

export interface ListLedgerResponse {
  'entries'?: (_tollgate_billing_v1_LedgerEntry)[];
  /**
   * The account's newest sequence.
   */
  'lastSeq'?: (number | string | Long);
}

export interface ListLedgerResponse__Output {
  'entries': (_tollgate_billing_v1_LedgerEntry__Output)[];
  /**
   * The account's newest sequence.
   */
  'lastSeq': (string);
}
