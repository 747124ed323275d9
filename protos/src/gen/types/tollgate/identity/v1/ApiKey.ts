// Original file: tollgate/identity/v1/identity.proto

import type { ApiKeyStatus as _tollgate_identity_v1_ApiKeyStatus, ApiKeyStatus__Output as _tollgate_identity_v1_ApiKeyStatus__Output } from '../../../tollgate/identity/v1/ApiKeyStatus';
import type { BudgetPeriod as _tollgate_identity_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_identity_v1_BudgetPeriod__Output } from '../../../tollgate/identity/v1/BudgetPeriod';
import type { Long } from '@grpc/proto-loader';

export interface ApiKey {
  'id'?: (string);
  'accountId'?: (string);
  'name'?: (string);
  /**
   * The first characters of the key, enough to recognise it.
   */
  'preview'?: (string);
  'status'?: (_tollgate_identity_v1_ApiKeyStatus);
  'scopes'?: (string)[];
  'models'?: (string)[];
  'pools'?: (string)[];
  'allowedIps'?: (string)[];
  'expiresAt'?: (string);
  'maxBudget'?: (number | string | Long);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'createdBy'?: (string);
  'createdAt'?: (string);
  'lastUsedAt'?: (string);
  'rotationCount'?: (number);
  'lastRotatedAt'?: (string);
  'previousExpiresAt'?: (string);
  'metadataJson'?: (string);
  /**
   * The status is disabled, and the account cannot change that.
   */
  'disabledByOperator'?: (boolean);
  '_maxBudget'?: "maxBudget";
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
}

export interface ApiKey__Output {
  'id': (string);
  'accountId': (string);
  'name': (string);
  /**
   * The first characters of the key, enough to recognise it.
   */
  'preview': (string);
  'status': (_tollgate_identity_v1_ApiKeyStatus__Output);
  'scopes': (string)[];
  'models': (string)[];
  'pools': (string)[];
  'allowedIps': (string)[];
  'expiresAt': (string);
  'maxBudget'?: (string);
  'budgetPeriod': (_tollgate_identity_v1_BudgetPeriod__Output);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'createdBy': (string);
  'createdAt': (string);
  'lastUsedAt': (string);
  'rotationCount': (number);
  'lastRotatedAt': (string);
  'previousExpiresAt': (string);
  'metadataJson': (string);
  /**
   * The status is disabled, and the account cannot change that.
   */
  'disabledByOperator': (boolean);
  '_maxBudget'?: "maxBudget";
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
}
