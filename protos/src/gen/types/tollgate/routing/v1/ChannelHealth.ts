// Original file: tollgate/routing/v1/routing.proto

import type { HealthState as _tollgate_routing_v1_HealthState, HealthState__Output as _tollgate_routing_v1_HealthState__Output } from '../../../tollgate/routing/v1/HealthState';

export interface ChannelHealth {
  'state'?: (_tollgate_routing_v1_HealthState);
  'checkedAt'?: (string);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  /**
   * 0 to 1 over the recent window; absent without traffic.
   */
  'successRate'?: (number | string);
  /**
   * closed, half_open, open.
   */
  'breaker'?: (string);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_successRate'?: "successRate";
}

export interface ChannelHealth__Output {
  'state': (_tollgate_routing_v1_HealthState__Output);
  'checkedAt': (string);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  /**
   * 0 to 1 over the recent window; absent without traffic.
   */
  'successRate'?: (number);
  /**
   * closed, half_open, open.
   */
  'breaker': (string);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_successRate'?: "successRate";
}
