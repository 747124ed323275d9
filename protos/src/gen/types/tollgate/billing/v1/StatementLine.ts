// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What one key was charged for one model; both empty in the line of all that the others have no
 * room for.
 */
export interface StatementLine {
  'model'?: (string);
  'keyId'?: (string);
  'requests'?: (number);
  'promptTokens'?: (number | string | Long);
  'completionTokens'?: (number | string | Long);
  'amount'?: (number | string | Long);
}

/**
 * What one key was charged for one model; both empty in the line of all that the others have no
 * room for.
 */
export interface StatementLine__Output {
  'model': (string);
  'keyId': (string);
  'requests': (number);
  'promptTokens': (string);
  'completionTokens': (string);
  'amount': (string);
}
