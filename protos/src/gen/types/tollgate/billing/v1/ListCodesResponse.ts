// Original file: tollgate/billing/v1/billing.proto

import type { Code as _tollgate_billing_v1_Code, Code__Output as _tollgate_billing_v1_Code__Output } from '../../../tollgate/billing/v1/Code';

export interface ListCodesResponse {
  'codes'?: (_tollgate_billing_v1_Code)[];
  'nextCursor'?: (string);
}

export interface ListCodesResponse__Output {
  'codes': (_tollgate_billing_v1_Code__Output)[];
  'nextCursor': (string);
}
