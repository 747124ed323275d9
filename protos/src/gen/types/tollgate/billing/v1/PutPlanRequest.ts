// Original file: tollgate/billing/v1/billing.proto

import type { Plan as _tollgate_billing_v1_Plan, Plan__Output as _tollgate_billing_v1_Plan__Output } from '../../../tollgate/billing/v1/Plan';

export interface PutPlanRequest {
  /**
   * Its version is the one that was read, 0 for a new plan; currency and changed_at are ignored.
   */
  'plan'?: (_tollgate_billing_v1_Plan | null);
  /**
   * Of a creation: whose Idempotency-Key it is; the key is empty when the header was absent.
   */
  'scope'?: (string);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface PutPlanRequest__Output {
  /**
   * Its version is the one that was read, 0 for a new plan; currency and changed_at are ignored.
   */
  'plan': (_tollgate_billing_v1_Plan__Output | null);
  /**
   * Of a creation: whose Idempotency-Key it is; the key is empty when the header was absent.
   */
  'scope': (string);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
