// Original file: tollgate/billing/v1/billing.proto

import type { ThresholdState as _tollgate_billing_v1_ThresholdState, ThresholdState__Output as _tollgate_billing_v1_ThresholdState__Output } from '../../../tollgate/billing/v1/ThresholdState';

export interface SetThresholdsResponse {
  'state'?: (_tollgate_billing_v1_ThresholdState | null);
}

export interface SetThresholdsResponse__Output {
  'state': (_tollgate_billing_v1_ThresholdState__Output | null);
}
