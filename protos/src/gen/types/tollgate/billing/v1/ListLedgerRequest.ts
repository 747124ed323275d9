// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface ListLedgerRequest {
  'accountId'?: (string);
  'limit'?: (number);
  /**
   * Ascending after this sequence, for consumers that fill a gap.
   */
  'afterSeq'?: (number | string | Long);
  /**
   * Descending before this sequence (0: from the newest), for people.
   */
  'beforeSeq'?: (number | string | Long);
  '_afterSeq'?: "afterSeq";
  '_beforeSeq'?: "beforeSeq";
}

export interface ListLedgerRequest__Output {
  'accountId': (string);
  'limit': (number);
  /**
   * Ascending after this sequence, for consumers that fill a gap.
   */
  'afterSeq'?: (string);
  /**
   * Descending before this sequence (0: from the newest), for people.
   */
  'beforeSeq'?: (string);
  '_afterSeq'?: "afterSeq";
  '_beforeSeq'?: "beforeSeq";
}
