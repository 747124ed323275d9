// Original file: tollgate/identity/v1/identity.proto

export const BudgetPeriod = {
  /**
   * never rolls over
   */
  BUDGET_PERIOD_UNSPECIFIED: 'BUDGET_PERIOD_UNSPECIFIED',
  BUDGET_PERIOD_DAY: 'BUDGET_PERIOD_DAY',
  BUDGET_PERIOD_WEEK: 'BUDGET_PERIOD_WEEK',
  BUDGET_PERIOD_MONTH: 'BUDGET_PERIOD_MONTH',
} as const;

export type BudgetPeriod =
  /**
   * never rolls over
   */
  | 'BUDGET_PERIOD_UNSPECIFIED'
  | 0
  | 'BUDGET_PERIOD_DAY'
  | 1
  | 'BUDGET_PERIOD_WEEK'
  | 2
  | 'BUDGET_PERIOD_MONTH'
  | 3

export type BudgetPeriod__Output = typeof BudgetPeriod[keyof typeof BudgetPeriod]
