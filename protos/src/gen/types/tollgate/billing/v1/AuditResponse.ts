// Original file: tollgate/billing/v1/billing.proto

import type { AuditFinding as _tollgate_billing_v1_AuditFinding, AuditFinding__Output as _tollgate_billing_v1_AuditFinding__Output } from '../../../tollgate/billing/v1/AuditFinding';
import type { Long } from '@grpc/proto-loader';

export interface AuditResponse {
  'ok'?: (boolean);
  /**
   * The sum of the absolute differences found.
   */
  'drift'?: (number | string | Long);
  'accountsChecked'?: (number);
  'absorbed'?: (number | string | Long);
  'overrun'?: (number | string | Long);
  'reserved'?: (number | string | Long);
  'findings'?: (_tollgate_billing_v1_AuditFinding)[];
  'checkedAt'?: (string);
  /**
   * The time was over before the last account was checked.
   */
  'partial'?: (boolean);
  /**
   * Of a partial answer: the account to go on after. Empty when no account was checked.
   */
  'nextCursor'?: (string);
  'durationMs'?: (number);
}

export interface AuditResponse__Output {
  'ok': (boolean);
  /**
   * The sum of the absolute differences found.
   */
  'drift': (string);
  'accountsChecked': (number);
  'absorbed': (string);
  'overrun': (string);
  'reserved': (string);
  'findings': (_tollgate_billing_v1_AuditFinding__Output)[];
  'checkedAt': (string);
  /**
   * The time was over before the last account was checked.
   */
  'partial': (boolean);
  /**
   * Of a partial answer: the account to go on after. Empty when no account was checked.
   */
  'nextCursor': (string);
  'durationMs': (number);
}
