// Original file: tollgate/billing/v1/billing.proto

import type { BudgetPeriod as _tollgate_billing_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_billing_v1_BudgetPeriod__Output } from '../../../tollgate/billing/v1/BudgetPeriod';
import type { Long } from '@grpc/proto-loader';

/**
 * The budget that a key carries; travels with the request because identity owns it.
 */
export interface KeyBudget {
  'keyId'?: (string);
  'limit'?: (number | string | Long);
  'period'?: (_tollgate_billing_v1_BudgetPeriod);
}

/**
 * The budget that a key carries; travels with the request because identity owns it.
 */
export interface KeyBudget__Output {
  'keyId': (string);
  'limit': (string);
  'period': (_tollgate_billing_v1_BudgetPeriod__Output);
}
