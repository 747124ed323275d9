// Original file: tollgate/billing/v1/billing.proto

import type { StatementLine as _tollgate_billing_v1_StatementLine, StatementLine__Output as _tollgate_billing_v1_StatementLine__Output } from '../../../tollgate/billing/v1/StatementLine';
import type { Long } from '@grpc/proto-loader';

/**
 * closing = opening + credits + adjustments - charges.
 */
export interface Statement {
  /**
   * As 2026-01, UTC.
   */
  'month'?: (string);
  'currency'?: (string);
  'opening'?: (number | string | Long);
  'credits'?: (number | string | Long);
  'adjustments'?: (number | string | Long);
  'charges'?: (number | string | Long);
  'closing'?: (number | string | Long);
  'lines'?: (_tollgate_billing_v1_StatementLine)[];
  'requests'?: (number);
}

/**
 * closing = opening + credits + adjustments - charges.
 */
export interface Statement__Output {
  /**
   * As 2026-01, UTC.
   */
  'month': (string);
  'currency': (string);
  'opening': (string);
  'credits': (string);
  'adjustments': (string);
  'charges': (string);
  'closing': (string);
  'lines': (_tollgate_billing_v1_StatementLine__Output)[];
  'requests': (number);
}
