// Original file: tollgate/routing/v1/routing.proto

import type { OutcomeKind as _tollgate_routing_v1_OutcomeKind, OutcomeKind__Output as _tollgate_routing_v1_OutcomeKind__Output } from '../../../tollgate/routing/v1/OutcomeKind';

export interface ChannelOutcome {
  'channelId'?: (string);
  'model'?: (string);
  'kind'?: (_tollgate_routing_v1_OutcomeKind);
  'count'?: (number);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  /**
   * Of the model at the channel.
   */
  'breaker'?: (string);
  /**
   * How long the vendor still wants to be left alone with this model.
   */
  'cooldownMs'?: (number);
  /**
   * What the newest of these calls met, with the vendor's words, but without secrets and words of
   * the prompt; empty after a success.
   */
  'detail'?: (string);
}

export interface ChannelOutcome__Output {
  'channelId': (string);
  'model': (string);
  'kind': (_tollgate_routing_v1_OutcomeKind__Output);
  'count': (number);
  'latencyMs': (number);
  'firstTokenMs': (number);
  /**
   * Of the model at the channel.
   */
  'breaker': (string);
  /**
   * How long the vendor still wants to be left alone with this model.
   */
  'cooldownMs': (number);
  /**
   * What the newest of these calls met, with the vendor's words, but without secrets and words of
   * the prompt; empty after a success.
   */
  'detail': (string);
}
