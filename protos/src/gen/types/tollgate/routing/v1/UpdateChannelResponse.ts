// Original file: tollgate/routing/v1/routing.proto

import type { Channel as _tollgate_routing_v1_Channel, Channel__Output as _tollgate_routing_v1_Channel__Output } from '../../../tollgate/routing/v1/Channel';

export interface UpdateChannelResponse {
  'channel'?: (_tollgate_routing_v1_Channel | null);
}

export interface UpdateChannelResponse__Output {
  'channel': (_tollgate_routing_v1_Channel__Output | null);
}
