// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What a key was charged, with and without a budget: in all, or since its account last dropped it: an
 * account remembers the charges of a bounded number of keys.
 */
export interface KeySpend {
  'keyId'?: (string);
  'spent'?: (number | string | Long);
}

/**
 * What a key was charged, with and without a budget: in all, or since its account last dropped it: an
 * account remembers the charges of a bounded number of keys.
 */
export interface KeySpend__Output {
  'keyId': (string);
  'spent': (string);
}
