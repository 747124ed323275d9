// Original file: tollgate/identity/v1/identity.proto


/**
 * What is absent is the plan's; -1 is unlimited.
 */
export interface AccountLimits {
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
}

/**
 * What is absent is the plan's; -1 is unlimited.
 */
export interface AccountLimits__Output {
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
}
