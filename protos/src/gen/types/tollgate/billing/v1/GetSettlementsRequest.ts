// Original file: tollgate/billing/v1/billing.proto

import type { LeaseReference as _tollgate_billing_v1_LeaseReference, LeaseReference__Output as _tollgate_billing_v1_LeaseReference__Output } from '../../../tollgate/billing/v1/LeaseReference';

export interface GetSettlementsRequest {
  'leases'?: (_tollgate_billing_v1_LeaseReference)[];
}

export interface GetSettlementsRequest__Output {
  'leases': (_tollgate_billing_v1_LeaseReference__Output)[];
}
