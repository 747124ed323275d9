// Original file: tollgate/billing/v1/billing.proto

import type { Thresholds as _tollgate_billing_v1_Thresholds, Thresholds__Output as _tollgate_billing_v1_Thresholds__Output } from '../../../tollgate/billing/v1/Thresholds';
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
  /**
   * Channel groups that its accounts may name, besides the open ones and their own.
   */
  'groups'?: (string)[];
  /**
   * Models that its accounts may use; empty means every model.
   */
  'models'?: (string)[];
  /**
   * From 1, one more with every change.
   */
  'version'?: (number);
  'changedAt'?: (string);
  /**
   * Whether clients may ask to have answers kept; absent means yes.
   */
  'keepAnswers'?: (boolean);
  /**
   * For accounts that set none; absent means a tenth of the last credit.
   */
  'thresholds'?: (_tollgate_billing_v1_Thresholds | null);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_keepAnswers'?: "keepAnswers";
}

export interface Plan__Output {
  'id': (string);
  'name': (string);
  /**
   * Absent means unlimited.
   */
  'requestsPerMinute'?: (number);
  'requestsPerDay'?: (number);
  'concurrentRequests'?: (number);
  'price': (string);
  'currency': (string);
  'period': (string);
  'includedCredit': (string);
  /**
   * Channel groups that its accounts may name, besides the open ones and their own.
   */
  'groups': (string)[];
  /**
   * Models that its accounts may use; empty means every model.
   */
  'models': (string)[];
  /**
   * From 1, one more with every change.
   */
  'version': (number);
  'changedAt': (string);
  /**
   * Whether clients may ask to have answers kept; absent means yes.
   */
  'keepAnswers'?: (boolean);
  /**
   * For accounts that set none; absent means a tenth of the last credit.
   */
  'thresholds': (_tollgate_billing_v1_Thresholds__Output | null);
  '_requestsPerMinute'?: "requestsPerMinute";
  '_requestsPerDay'?: "requestsPerDay";
  '_concurrentRequests'?: "concurrentRequests";
  '_keepAnswers'?: "keepAnswers";
}
