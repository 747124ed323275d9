// Original file: tollgate/billing/v1/billing.proto

import type { KeyBudgetState as _tollgate_billing_v1_KeyBudgetState, KeyBudgetState__Output as _tollgate_billing_v1_KeyBudgetState__Output } from '../../../tollgate/billing/v1/KeyBudgetState';
import type { KeySpend as _tollgate_billing_v1_KeySpend, KeySpend__Output as _tollgate_billing_v1_KeySpend__Output } from '../../../tollgate/billing/v1/KeySpend';

export interface GetKeyBudgetsResponse {
  'budgets'?: (_tollgate_billing_v1_KeyBudgetState)[];
  /**
   * Without the keys of which it is not known: an account counts so many and no more.
   */
  'spends'?: (_tollgate_billing_v1_KeySpend)[];
}

export interface GetKeyBudgetsResponse__Output {
  'budgets': (_tollgate_billing_v1_KeyBudgetState__Output)[];
  /**
   * Without the keys of which it is not known: an account counts so many and no more.
   */
  'spends': (_tollgate_billing_v1_KeySpend__Output)[];
}
