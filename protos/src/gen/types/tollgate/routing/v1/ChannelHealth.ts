// Original file: tollgate/routing/v1/routing.proto

import type { HealthState as _tollgate_routing_v1_HealthState, HealthState__Output as _tollgate_routing_v1_HealthState__Output } from '../../../tollgate/routing/v1/HealthState';

export interface ChannelHealth {
  'state'?: (_tollgate_routing_v1_HealthState);
  'checkedAt'?: (string);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  'successRate'?: (number | string);
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
  'successRate'?: (number);
  'breaker': (string);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_successRate'?: "successRate";
}
