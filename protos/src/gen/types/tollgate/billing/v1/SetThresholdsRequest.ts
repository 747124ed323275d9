// Original file: tollgate/billing/v1/billing.proto

import type { Thresholds as _tollgate_billing_v1_Thresholds, Thresholds__Output as _tollgate_billing_v1_Thresholds__Output } from '../../../tollgate/billing/v1/Thresholds';
import type { Long } from '@grpc/proto-loader';

export interface SetThresholdsRequest {
  'accountId'?: (string);
  /**
   * Absent gives the account those of its plan again.
   */
  'thresholds'?: (_tollgate_billing_v1_Thresholds | null);
  'suspendBelow'?: (number | string | Long);
  '_suspendBelow'?: "suspendBelow";
}

export interface SetThresholdsRequest__Output {
  'accountId': (string);
  /**
   * Absent gives the account those of its plan again.
   */
  'thresholds': (_tollgate_billing_v1_Thresholds__Output | null);
  'suspendBelow'?: (string);
  '_suspendBelow'?: "suspendBelow";
}
