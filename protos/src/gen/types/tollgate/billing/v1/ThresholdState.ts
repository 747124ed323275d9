// Original file: tollgate/billing/v1/billing.proto

import type { Thresholds as _tollgate_billing_v1_Thresholds, Thresholds__Output as _tollgate_billing_v1_Thresholds__Output } from '../../../tollgate/billing/v1/Thresholds';
import type { Long } from '@grpc/proto-loader';

export interface ThresholdState {
  'thresholds'?: (_tollgate_billing_v1_Thresholds | null);
  /**
   * Absent means that all of the balance may be spent.
   */
  'suspendBelow'?: (number | string | Long);
  /**
   * account, plan, or default: a tenth of the last credit.
   */
  'source'?: (string);
  'dailySpend'?: (number | string | Long);
  'suspended'?: (boolean);
  '_suspendBelow'?: "suspendBelow";
}

export interface ThresholdState__Output {
  'thresholds': (_tollgate_billing_v1_Thresholds__Output | null);
  /**
   * Absent means that all of the balance may be spent.
   */
  'suspendBelow'?: (string);
  /**
   * account, plan, or default: a tenth of the last credit.
   */
  'source': (string);
  'dailySpend': (string);
  'suspended': (boolean);
  '_suspendBelow'?: "suspendBelow";
}
