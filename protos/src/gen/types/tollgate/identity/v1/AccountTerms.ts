// Original file: tollgate/identity/v1/identity.proto

import type { AccountLimits as _tollgate_identity_v1_AccountLimits, AccountLimits__Output as _tollgate_identity_v1_AccountLimits__Output } from '../../../tollgate/identity/v1/AccountLimits';

/**
 * An operator's agreement with one account; what is absent is the plan's.
 */
export interface AccountTerms {
  'limits'?: (_tollgate_identity_v1_AccountLimits | null);
  /**
   * Models that the account may use; empty means those of the plan.
   */
  'models'?: (string)[];
  /**
   * Taken off the unit prices, hundredths of a percent; below 0 a mark-up.
   */
  'discount'?: (number);
}

/**
 * An operator's agreement with one account; what is absent is the plan's.
 */
export interface AccountTerms__Output {
  'limits': (_tollgate_identity_v1_AccountLimits__Output | null);
  /**
   * Models that the account may use; empty means those of the plan.
   */
  'models': (string)[];
  /**
   * Taken off the unit prices, hundredths of a percent; below 0 a mark-up.
   */
  'discount': (number);
}
