// Original file: tollgate/billing/v1/billing.proto

import type { Statement as _tollgate_billing_v1_Statement, Statement__Output as _tollgate_billing_v1_Statement__Output } from '../../../tollgate/billing/v1/Statement';

export interface ListStatementsResponse {
  'statements'?: (_tollgate_billing_v1_Statement)[];
}

export interface ListStatementsResponse__Output {
  'statements': (_tollgate_billing_v1_Statement__Output)[];
}
