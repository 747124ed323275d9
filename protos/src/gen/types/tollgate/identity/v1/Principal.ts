// Original file: tollgate/identity/v1/identity.proto

import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';
import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';
import type { BudgetPeriod as _tollgate_identity_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_identity_v1_BudgetPeriod__Output } from '../../../tollgate/identity/v1/BudgetPeriod';
import type { Long } from '@grpc/proto-loader';

export interface Principal {
  'accountId'?: (string);
  'keyId'?: (string);
  'userId'?: (string);
  'plan'?: (string);
  'accountStatus'?: (_tollgate_identity_v1_AccountStatus);
  'operator'?: (boolean);
  'role'?: (_tollgate_identity_v1_Role);
  'scopes'?: (string)[];
  'models'?: (string)[];
  'pools'?: (string)[];
  'allowedIps'?: (string)[];
  'expiresAt'?: (string);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'maxBudget'?: (number | string | Long);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod);
  'accountName'?: (string);
  'keyName'?: (string);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_maxBudget'?: "maxBudget";
}

export interface Principal__Output {
  'accountId': (string);
  'keyId': (string);
  'userId': (string);
  'plan': (string);
  'accountStatus': (_tollgate_identity_v1_AccountStatus__Output);
  'operator': (boolean);
  'role': (_tollgate_identity_v1_Role__Output);
  'scopes': (string)[];
  'models': (string)[];
  'pools': (string)[];
  'allowedIps': (string)[];
  'expiresAt': (string);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'maxBudget'?: (string);
  'budgetPeriod': (_tollgate_identity_v1_BudgetPeriod__Output);
  'accountName': (string);
  'keyName': (string);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_maxBudget'?: "maxBudget";
}
