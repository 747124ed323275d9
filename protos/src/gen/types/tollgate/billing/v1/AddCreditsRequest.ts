// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface AddCreditsRequest {
  'accountId'?: (string);
  'amount'?: (number | string | Long);
  'note'?: (string);
  /**
   * Kept for ever: the same key never credits twice.
   */
  'idempotencyKey'?: (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId'?: (string);
}

export interface AddCreditsRequest__Output {
  'accountId': (string);
  'amount': (string);
  'note': (string);
  /**
   * Kept for ever: the same key never credits twice.
   */
  'idempotencyKey': (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId': (string);
}
