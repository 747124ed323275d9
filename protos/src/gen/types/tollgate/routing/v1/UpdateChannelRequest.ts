// Original file: tollgate/routing/v1/routing.proto

import type { ChannelSettings as _tollgate_routing_v1_ChannelSettings, ChannelSettings__Output as _tollgate_routing_v1_ChannelSettings__Output } from '../../../tollgate/routing/v1/ChannelSettings';

export interface UpdateChannelRequest {
  'channelId'?: (string);
  'settings'?: (_tollgate_routing_v1_ChannelSettings | null);
}

export interface UpdateChannelRequest__Output {
  'channelId': (string);
  'settings': (_tollgate_routing_v1_ChannelSettings__Output | null);
}
