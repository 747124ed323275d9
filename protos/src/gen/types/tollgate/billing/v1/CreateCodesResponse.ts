// Original file: tollgate/billing/v1/billing.proto

import type { Code as _tollgate_billing_v1_Code, Code__Output as _tollgate_billing_v1_Code__Output } from '../../../tollgate/billing/v1/Code';

export interface CreateCodesResponse {
  'batchId'?: (string);
  'codes'?: (_tollgate_billing_v1_Code)[];
  /**
   * The texts in the order of the codes, told once; empty when replayed.
   */
  'texts'?: (string)[];
  'replayed'?: (boolean);
}

export interface CreateCodesResponse__Output {
  'batchId': (string);
  'codes': (_tollgate_billing_v1_Code__Output)[];
  /**
   * The texts in the order of the codes, told once; empty when replayed.
   */
  'texts': (string)[];
  'replayed': (boolean);
}
