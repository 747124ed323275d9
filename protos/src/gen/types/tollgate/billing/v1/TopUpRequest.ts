// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface TopUpRequest {
  /**
   * The payment system that tells of it.
   */
  'provider'?: (string);
  /**
   * Kept for ever: the same event of a provider never credits twice.
   */
  'eventId'?: (string);
  'accountId'?: (string);
  'amount'?: (number | string | Long);
  /**
   * Refused unless it is the deployment's.
   */
  'currency'?: (string);
  /**
   * The payment's name in the other system, for people; may be empty.
   */
  'reference'?: (string);
}

export interface TopUpRequest__Output {
  /**
   * The payment system that tells of it.
   */
  'provider': (string);
  /**
   * Kept for ever: the same event of a provider never credits twice.
   */
  'eventId': (string);
  'accountId': (string);
  'amount': (string);
  /**
   * Refused unless it is the deployment's.
   */
  'currency': (string);
  /**
   * The payment's name in the other system, for people; may be empty.
   */
  'reference': (string);
}
