// Original file: tollgate/routing/v1/routing.proto

import type { ChannelHealth as _tollgate_routing_v1_ChannelHealth, ChannelHealth__Output as _tollgate_routing_v1_ChannelHealth__Output } from '../../../tollgate/routing/v1/ChannelHealth';

export interface RouteHealth {
  'channelId'?: (string);
  'health'?: (_tollgate_routing_v1_ChannelHealth | null);
}

export interface RouteHealth__Output {
  'channelId': (string);
  'health': (_tollgate_routing_v1_ChannelHealth__Output | null);
}
