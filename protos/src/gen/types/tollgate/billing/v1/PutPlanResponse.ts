// Original file: tollgate/billing/v1/billing.proto

import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from '../../../tollgate/billing/v1/Plan';

export interface PutPlanResponse {
  'plan'?: (_tollgate_billing_v1_Plan | null);
  'replayed'?: (boolean);
}

export interface PutPlanResponse__Output {
  'plan': (_tollgate_billing_v1_Plan__Output | null);
  'replayed': (boolean);
}
