// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What a key was charged in all, with and without a budget.
 */
export interface KeySpend {
  'keyId'?: (string);
  'spent'?: (number | string | Long);
}

/**
 * What a key was charged in all, with and without a budget.
 */
export interface KeySpend__Output {
  'keyId': (string);
  'spent': (string);
}
