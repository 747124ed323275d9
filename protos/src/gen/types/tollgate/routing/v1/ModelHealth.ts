// Original file: tollgate/routing/v1/routing.proto

import type { HealthState as _tollgate_routing_v1_HealthState, HealthState__Output as _tollgate_routing_v1_HealthState__Output } from '../../../tollgate/routing/v1/HealthState';

/**
 * What is known of one model at one channel.
 */
export interface ModelHealth {
  'model'?: (string);
  'state'?: (_tollgate_routing_v1_HealthState);
  /**
   * closed, half_open, open.
   */
  'breaker'?: (string);
  'successRate'?: (number | string);
  /**
   * Until when the vendor asked to be left alone; empty when it did not.
   */
  'cooldownUntil'?: (string);
  '_successRate'?: "successRate";
}

/**
 * What is known of one model at one channel.
 */
export interface ModelHealth__Output {
  'model': (string);
  'state': (_tollgate_routing_v1_HealthState__Output);
  /**
   * closed, half_open, open.
   */
  'breaker': (string);
  'successRate'?: (number);
  /**
   * Until when the vendor asked to be left alone; empty when it did not.
   */
  'cooldownUntil': (string);
  '_successRate'?: "successRate";
}
