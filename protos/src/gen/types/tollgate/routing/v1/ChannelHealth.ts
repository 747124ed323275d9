// Original file: tollgate/routing/v1/routing.proto

import type { HealthState as _tollgate_routing_v1_HealthState, HealthState__Output as _tollgate_routing_v1_HealthState__Output } from '../../../tollgate/routing/v1/HealthState';
import type { ModelHealth as _tollgate_routing_v1_ModelHealth, ModelHealth__Output as _tollgate_routing_v1_ModelHealth__Output } from '../../../tollgate/routing/v1/ModelHealth';
import type { OutcomeKind as _tollgate_routing_v1_OutcomeKind, OutcomeKind__Output as _tollgate_routing_v1_OutcomeKind__Output } from '../../../tollgate/routing/v1/OutcomeKind';

export interface ChannelHealth {
  'state'?: (_tollgate_routing_v1_HealthState);
  'checkedAt'?: (string);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  /**
   * 0 to 1, a moving average over reports of calls; absent without traffic.
   */
  'successRate'?: (number | string);
  /**
   * closed, half_open, open: the best of its models', so that it is open when none can be called.
   */
  'breaker'?: (string);
  /**
   * The models that were called.
   */
  'models'?: (_tollgate_routing_v1_ModelHealth)[];
  /**
   * What the last check or call that failed met; empty when the channel is healthy again.
   */
  'lastError'?: (string);
  /**
   * How that one ended, and when it was heard of; unspecified and empty as last_error.
   */
  'lastErrorKind'?: (_tollgate_routing_v1_OutcomeKind);
  'lastErrorAt'?: (string);
  /**
   * When a request last found as many in flight as the channel may answer; empty when none did.
   */
  'noRoomAt'?: (string);
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
   * 0 to 1, a moving average over reports of calls; absent without traffic.
   */
  'successRate'?: (number);
  /**
   * closed, half_open, open: the best of its models', so that it is open when none can be called.
   */
  'breaker': (string);
  /**
   * The models that were called.
   */
  'models': (_tollgate_routing_v1_ModelHealth__Output)[];
  /**
   * What the last check or call that failed met; empty when the channel is healthy again.
   */
  'lastError': (string);
  /**
   * How that one ended, and when it was heard of; unspecified and empty as last_error.
   */
  'lastErrorKind': (_tollgate_routing_v1_OutcomeKind__Output);
  'lastErrorAt': (string);
  /**
   * When a request last found as many in flight as the channel may answer; empty when none did.
   */
  'noRoomAt': (string);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_successRate'?: "successRate";
}
