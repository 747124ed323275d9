// Original file: tollgate/identity/v1/identity.proto

import type { StringList as _tollgate_identity_v1_StringList, StringList__Output as _tollgate_identity_v1_StringList__Output } from '../../../tollgate/identity/v1/StringList';
import type { BudgetPeriod as _tollgate_identity_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_identity_v1_BudgetPeriod__Output } from '../../../tollgate/identity/v1/BudgetPeriod';
import type { Long } from '@grpc/proto-loader';

export interface ApiKeySettings {
  'name'?: (string);
  'scopes'?: (_tollgate_identity_v1_StringList | null);
  'models'?: (_tollgate_identity_v1_StringList | null);
  'pools'?: (_tollgate_identity_v1_StringList | null);
  'allowedIps'?: (_tollgate_identity_v1_StringList | null);
  'expiresAt'?: (string);
  'maxBudget'?: (number | string | Long);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'disabled'?: (boolean);
  'metadataJson'?: (string);
  '_name'?: "name";
  '_expiresAt'?: "expiresAt";
  '_maxBudget'?: "maxBudget";
  '_budgetPeriod'?: "budgetPeriod";
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_disabled'?: "disabled";
  '_metadataJson'?: "metadataJson";
}

export interface ApiKeySettings__Output {
  'name'?: (string);
  'scopes': (_tollgate_identity_v1_StringList__Output | null);
  'models': (_tollgate_identity_v1_StringList__Output | null);
  'pools': (_tollgate_identity_v1_StringList__Output | null);
  'allowedIps': (_tollgate_identity_v1_StringList__Output | null);
  'expiresAt'?: (string);
  'maxBudget'?: (string);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod__Output);
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'disabled'?: (boolean);
  'metadataJson'?: (string);
  '_name'?: "name";
  '_expiresAt'?: "expiresAt";
  '_maxBudget'?: "maxBudget";
  '_budgetPeriod'?: "budgetPeriod";
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_disabled'?: "disabled";
  '_metadataJson'?: "metadataJson";
}
