// Original file: tollgate/billing/v1/billing.proto

import type { UsageRecord as _tollgate_billing_v1_UsageRecord, UsageRecord__Output as _tollgate_billing_v1_UsageRecord__Output } from '../../../tollgate/billing/v1/UsageRecord';
import type { Long } from '@grpc/proto-loader';

export interface LedgerEntry {
  'accountId'?: (string);
  'seq'?: (number | string | Long);
  /**
   * charge, credit, adjustment.
   */
  'kind'?: (string);
  /**
   * Below 0 only where an adjustment took back.
   */
  'amount'?: (number | string | Long);
  'at'?: (string);
  /**
   * A charge carries its whole usage record.
   */
  'record'?: (_tollgate_billing_v1_UsageRecord | null);
  'absorbed'?: (number | string | Long);
  'overrun'?: (number | string | Long);
  /**
   * settled, swept, retired, refused.
   */
  'settledReason'?: (string);
  /**
   * The id of the credit or of the adjustment.
   */
  'creditId'?: (string);
  /**
   * The note of a credit, the reason of an adjustment.
   */
  'note'?: (string);
  /**
   * Of a credit or an adjustment: the user or the API key that asked for it, where that is known.
   */
  'actorId'?: (string);
}

export interface LedgerEntry__Output {
  'accountId': (string);
  'seq': (string);
  /**
   * charge, credit, adjustment.
   */
  'kind': (string);
  /**
   * Below 0 only where an adjustment took back.
   */
  'amount': (string);
  'at': (string);
  /**
   * A charge carries its whole usage record.
   */
  'record': (_tollgate_billing_v1_UsageRecord__Output | null);
  'absorbed': (string);
  'overrun': (string);
  /**
   * settled, swept, retired, refused.
   */
  'settledReason': (string);
  /**
   * The id of the credit or of the adjustment.
   */
  'creditId': (string);
  /**
   * The note of a credit, the reason of an adjustment.
   */
  'note': (string);
  /**
   * Of a credit or an adjustment: the user or the API key that asked for it, where that is known.
   */
  'actorId': (string);
}
