// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface AdjustBalanceRequest {
  'accountId'?: (string);
  /**
   * Not 0; below 0 it takes back.
   */
  'amount'?: (number | string | Long);
  'reason'?: (string);
  /**
   * Kept for ever: the same key never adjusts twice.
   */
  'idempotencyKey'?: (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId'?: (string);
}

export interface AdjustBalanceRequest__Output {
  'accountId': (string);
  /**
   * Not 0; below 0 it takes back.
   */
  'amount': (string);
  'reason': (string);
  /**
   * Kept for ever: the same key never adjusts twice.
   */
  'idempotencyKey': (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId': (string);
}
