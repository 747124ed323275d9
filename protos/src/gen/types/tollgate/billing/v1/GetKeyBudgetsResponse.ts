// Original file: tollgate/billing/v1/billing.proto

import type { KeyBudgetState as _tollgate_billing_v1_KeyBudgetState, KeyBudgetState__Output as _tollgate_billing_v1_KeyBudgetState__Output } from '../../../tollgate/billing/v1/KeyBudgetState';

export interface GetKeyBudgetsResponse {
  'budgets'?: (_tollgate_billing_v1_KeyBudgetState)[];
}

export interface GetKeyBudgetsResponse__Output {
  'budgets': (_tollgate_billing_v1_KeyBudgetState__Output)[];
}
