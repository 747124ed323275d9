// Original file: tollgate/billing/v1/billing.proto

import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from '../../../tollgate/billing/v1/Plan';

export interface GetPlanResponse {
  'plan'?: (_tollgate_billing_v1_Plan | null);
  /**
   * What it was before, newest first.
   */
  'versions'?: (_tollgate_billing_v1_Plan)[];
}

export interface GetPlanResponse__Output {
  'plan': (_tollgate_billing_v1_Plan__Output | null);
  /**
   * What it was before, newest first.
   */
  'versions': (_tollgate_billing_v1_Plan__Output)[];
}
