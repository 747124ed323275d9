// Original file: tollgate/billing/v1/billing.proto

import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from '../../../tollgate/billing/v1/KeyBudget';

export interface GetKeyBudgetsRequest {
  'accountId'?: (string);
  'keyIds'?: (string)[];
  /**
   * The budgets as the keys carry them now: billing hears of a change with the next request only.
   */
  'carried'?: (_tollgate_billing_v1_KeyBudget)[];
}

export interface GetKeyBudgetsRequest__Output {
  'accountId': (string);
  'keyIds': (string)[];
  /**
   * The budgets as the keys carry them now: billing hears of a change with the next request only.
   */
  'carried': (_tollgate_billing_v1_KeyBudget__Output)[];
}
