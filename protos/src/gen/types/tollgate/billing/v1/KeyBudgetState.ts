// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface KeyBudgetState {
  'keyId'?: (string);
  'limit'?: (number | string | Long);
  'spent'?: (number | string | Long);
  'leased'?: (number | string | Long);
  'periodStart'?: (string);
  /**
   * Empty when the budget never rolls over.
   */
  'resetsAt'?: (string);
}

export interface KeyBudgetState__Output {
  'keyId': (string);
  'limit': (string);
  'spent': (string);
  'leased': (string);
  'periodStart': (string);
  /**
   * Empty when the budget never rolls over.
   */
  'resetsAt': (string);
}
