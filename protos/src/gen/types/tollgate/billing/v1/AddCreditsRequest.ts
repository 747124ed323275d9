// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface AddCreditsRequest {
  'accountId'?: (string);
  'amount'?: (number | string | Long);
  'note'?: (string);
  'idempotencyKey'?: (string);
}

export interface AddCreditsRequest__Output {
  'accountId': (string);
  'amount': (string);
  'note': (string);
  'idempotencyKey': (string);
}
