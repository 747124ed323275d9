// Original file: tollgate/billing/v1/billing.proto

import type { Code as _tollgate_billing_v1_Code, Code__Output as _tollgate_billing_v1_Code__Output } from '../../../tollgate/billing/v1/Code';

export interface GetCodeResponse {
  'code'?: (_tollgate_billing_v1_Code | null);
}

export interface GetCodeResponse__Output {
  'code': (_tollgate_billing_v1_Code__Output | null);
}
