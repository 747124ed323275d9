// Original file: tollgate/billing/v1/billing.proto

import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from '../../../tollgate/billing/v1/Plan';

export interface ListPlansResponse {
  'plans'?: (_tollgate_billing_v1_Plan)[];
  /**
   * The currency of all amounts; an earlier version of billing does not say it.
   */
  'currency'?: (string);
}

export interface ListPlansResponse__Output {
  'plans': (_tollgate_billing_v1_Plan__Output)[];
  /**
   * The currency of all amounts; an earlier version of billing does not say it.
   */
  'currency': (string);
}
