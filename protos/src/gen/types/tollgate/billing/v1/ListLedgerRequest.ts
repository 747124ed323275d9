// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface ListLedgerRequest {
  'accountId'?: (string);
  'limit'?: (number);
  'afterSeq'?: (number | string | Long);
  'beforeSeq'?: (number | string | Long);
  '_afterSeq'?: "afterSeq";
  '_beforeSeq'?: "beforeSeq";
}

export interface ListLedgerRequest__Output {
  'accountId': (string);
  'limit': (number);
  'afterSeq'?: (string);
  'beforeSeq'?: (string);
  '_afterSeq'?: "afterSeq";
  '_beforeSeq'?: "beforeSeq";
}
