// Original file: tollgate/routing/v1/routing.proto

import type { Channel as _tollgate_routing_v1_Channel, Channel__Output as _tollgate_routing_v1_Channel__Output } from '../../../tollgate/routing/v1/Channel';

export interface GetChannelResponse {
  'channel'?: (_tollgate_routing_v1_Channel | null);
}

export interface GetChannelResponse__Output {
  'channel': (_tollgate_routing_v1_Channel__Output | null);
}
