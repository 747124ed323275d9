// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface KeyBudgetState {
  'keyId'?: (string);
  'spent'?: (number | string | Long);
}

export interface KeyBudgetState__Output {
  'keyId': (string);
  'spent': (string);
}
