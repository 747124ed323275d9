// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface GetBalanceResponse {
  'accountId'?: (string);
  'currency'?: (string);
  /**
   * granted - posted.
   */
  'balance'?: (number | string | Long);
  /**
   * In open leases.
   */
  'reserved'?: (number | string | Long);
  'available'?: (number | string | Long);
  /**
   * granted: every credit, with every adjustment since.
   */
  'totalCredits'?: (number | string | Long);
  'totalUsage'?: (number | string | Long);
  'updatedAt'?: (string);
}

export interface GetBalanceResponse__Output {
  'accountId': (string);
  'currency': (string);
  /**
   * granted - posted.
   */
  'balance': (string);
  /**
   * In open leases.
   */
  'reserved': (string);
  'available': (string);
  /**
   * granted: every credit, with every adjustment since.
   */
  'totalCredits': (string);
  'totalUsage': (string);
  'updatedAt': (string);
}
