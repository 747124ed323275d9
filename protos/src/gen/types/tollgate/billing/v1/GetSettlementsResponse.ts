// Original file: tollgate/billing/v1/billing.proto

import type { Settlement as _tollgate_billing_v1_Settlement, Settlement__Output as _tollgate_billing_v1_Settlement__Output } from '../../../tollgate/billing/v1/Settlement';

export interface GetSettlementsResponse {
  'settlements'?: (_tollgate_billing_v1_Settlement)[];
}

export interface GetSettlementsResponse__Output {
  'settlements': (_tollgate_billing_v1_Settlement__Output)[];
}
