// Original file: tollgate/identity/v1/identity.proto

import type { StringList as _tollgate_identity_v1_StringList, StringList__Output as _tollgate_identity_v1_StringList__Output } from '../../../tollgate/identity/v1/StringList';
import type { BudgetPeriod as _tollgate_identity_v1_BudgetPeriod, BudgetPeriod__Output as _tollgate_identity_v1_BudgetPeriod__Output } from '../../../tollgate/identity/v1/BudgetPeriod';
import type { Long } from '@grpc/proto-loader';

/**
 * The settable part of a key. Absent optional fields keep their default or present value.
 */
export interface ApiKeySettings {
  'name'?: (string);
  'scopes'?: (_tollgate_identity_v1_StringList | null);
  'models'?: (_tollgate_identity_v1_StringList | null);
  'pools'?: (_tollgate_identity_v1_StringList | null);
  'allowedIps'?: (_tollgate_identity_v1_StringList | null);
  /**
   * ISO-8601; an empty string clears it.
   */
  'expiresAt'?: (string);
  /**
   * Nano-units; -1 clears it.
   */
  'maxBudget'?: (number | string | Long);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod);
  /**
   * -1 clears each of the three.
   */
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'disabled'?: (boolean);
  /**
   * A JSON object of strings, at most 16 keys.
   */
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

/**
 * The settable part of a key. Absent optional fields keep their default or present value.
 */
export interface ApiKeySettings__Output {
  'name'?: (string);
  'scopes': (_tollgate_identity_v1_StringList__Output | null);
  'models': (_tollgate_identity_v1_StringList__Output | null);
  'pools': (_tollgate_identity_v1_StringList__Output | null);
  'allowedIps': (_tollgate_identity_v1_StringList__Output | null);
  /**
   * ISO-8601; an empty string clears it.
   */
  'expiresAt'?: (string);
  /**
   * Nano-units; -1 clears it.
   */
  'maxBudget'?: (string);
  'budgetPeriod'?: (_tollgate_identity_v1_BudgetPeriod__Output);
  /**
   * -1 clears each of the three.
   */
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'disabled'?: (boolean);
  /**
   * A JSON object of strings, at most 16 keys.
   */
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
