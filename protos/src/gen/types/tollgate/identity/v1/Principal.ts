// Original file: tollgate/identity/v1/identity.proto

import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';
import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';
import type { BudgetPeriod as _tollgate_identity_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_identity_v1_BudgetPeriod__Output } from '../../../tollgate/identity/v1/BudgetPeriod';
import type { AccountTerms as _tollgate_identity_v1_AccountTerms, AccountTerms__Output as _tollgate_identity_v1_AccountTerms__Output } from '../../../tollgate/identity/v1/AccountTerms';
import type { Long } from '@grpc/proto-loader';

/**
 * Everything that a gateway needs to admit a request without asking again.
 */
export interface Principal {
  'accountId'?: (string);
  'keyId'?: (string);
  /**
   * The user who created the key; the actor for audit.
   */
  'userId'?: (string);
  /**
   * Id of a plan (billing's PutPlan); four come with the product.
   */
  'plan'?: (string);
  'accountStatus'?: (_tollgate_identity_v1_AccountStatus);
  'operator'?: (boolean);
  'role'?: (_tollgate_identity_v1_Role);
  'scopes'?: (string)[];
  /**
   * Empty means every model.
   */
  'models'?: (string)[];
  /**
   * Pools (channel groups) that the key may name; "self" is always allowed. Empty means every one
   * that was granted to the account.
   */
  'pools'?: (string)[];
  /**
   * CIDR blocks; empty means any address.
   */
  'allowedIps'?: (string)[];
  /**
   * When the presented secret stops working: the key's expiry or the end of a rotation's overlap.
   */
  'expiresAt'?: (string);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  /**
   * Nano-units; absent when the key has no budget.
   */
  'maxBudget'?: (number | string | Long);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod);
  'accountName'?: (string);
  /**
   * Channel groups that the operator granted to the account, besides the open ones; pools narrow them.
   */
  'grantedGroups'?: (string)[];
  /**
   * What the account has in place of its plan's.
   */
  'accountTerms'?: (_tollgate_identity_v1_AccountTerms | null);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_maxBudget'?: "maxBudget";
}

/**
 * Everything that a gateway needs to admit a request without asking again.
 */
export interface Principal__Output {
  'accountId': (string);
  'keyId': (string);
  /**
   * The user who created the key; the actor for audit.
   */
  'userId': (string);
  /**
   * Id of a plan (billing's PutPlan); four come with the product.
   */
  'plan': (string);
  'accountStatus': (_tollgate_identity_v1_AccountStatus__Output);
  'operator': (boolean);
  'role': (_tollgate_identity_v1_Role__Output);
  'scopes': (string)[];
  /**
   * Empty means every model.
   */
  'models': (string)[];
  /**
   * Pools (channel groups) that the key may name; "self" is always allowed. Empty means every one
   * that was granted to the account.
   */
  'pools': (string)[];
  /**
   * CIDR blocks; empty means any address.
   */
  'allowedIps': (string)[];
  /**
   * When the presented secret stops working: the key's expiry or the end of a rotation's overlap.
   */
  'expiresAt': (string);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  /**
   * Nano-units; absent when the key has no budget.
   */
  'maxBudget'?: (string);
  'budgetPeriod': (_tollgate_identity_v1_BudgetPeriod__Output);
  'accountName': (string);
  /**
   * Channel groups that the operator granted to the account, besides the open ones; pools narrow them.
   */
  'grantedGroups': (string)[];
  /**
   * What the account has in place of its plan's.
   */
  'accountTerms': (_tollgate_identity_v1_AccountTerms__Output | null);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_maxBudget'?: "maxBudget";
}
