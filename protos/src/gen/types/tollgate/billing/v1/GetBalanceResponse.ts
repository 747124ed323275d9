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
  /**
   * Below which balance the account lets itself spend nothing; absent where it set none.
   */
  'suspendBelow'?: (number | string | Long);
  /**
   * The balance is below suspend_below, so nothing that costs is let in. Absent where an older
   * billing answers.
   */
  'spendingSuspended'?: (boolean);
  '_suspendBelow'?: "suspendBelow";
  '_spendingSuspended'?: "spendingSuspended";
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
  /**
   * Below which balance the account lets itself spend nothing; absent where it set none.
   */
  'suspendBelow'?: (string);
  /**
   * The balance is below suspend_below, so nothing that costs is let in. Absent where an older
   * billing answers.
   */
  'spendingSuspended'?: (boolean);
  '_suspendBelow'?: "suspendBelow";
  '_spendingSuspended'?: "spendingSuspended";
}
