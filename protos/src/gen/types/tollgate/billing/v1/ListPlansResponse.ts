// Original file: tollgate/billing/v1/billing.proto

import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from '../../../tollgate/billing/v1/Plan';

export interface ListPlansResponse {
  'plans'?: (_tollgate_billing_v1_Plan)[];
}

export interface ListPlansResponse__Output {
  'plans': (_tollgate_billing_v1_Plan__Output)[];
}
