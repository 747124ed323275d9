// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface CreateCodesRequest {
  'amount'?: (number | string | Long);
  'count'?: (number);
  'note'?: (string);
  /**
   * ISO-8601; empty when they do not expire.
   */
  'expiresAt'?: (string);
  /**
   * Whose Idempotency-Key it is; the key is empty when the header was absent.
   */
  'scope'?: (string);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId'?: (string);
}

export interface CreateCodesRequest__Output {
  'amount': (string);
  'count': (number);
  'note': (string);
  /**
   * ISO-8601; empty when they do not expire.
   */
  'expiresAt': (string);
  /**
   * Whose Idempotency-Key it is; the key is empty when the header was absent.
   */
  'scope': (string);
  'idempotencyKey': (string);
  'bodyDigest': (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId': (string);
}
