// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface Plan {
  'id'?: (string);
  'name'?: (string);
  /**
   * Absent means unlimited.
   */
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'price'?: (number | string | Long);
  'currency'?: (string);
  'period'?: (string);
  'includedCredit'?: (number | string | Long);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
}

export interface Plan__Output {
  'id': (string);
  'name': (string);
  /**
   * Absent means unlimited.
   */
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests': (number);
  'price': (string);
  'currency': (string);
  'period': (string);
  'includedCredit': (string);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
}
