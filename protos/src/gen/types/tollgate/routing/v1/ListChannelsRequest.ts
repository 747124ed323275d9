// Original file: tollgate/routing/v1/routing.proto

import type { ChannelSelection as _tollgate_routing_v1_ChannelSelection, ChannelSelection__Output as _tollgate_routing_v1_ChannelSelection__Output } from '../../../tollgate/routing/v1/ChannelSelection';

export interface ListChannelsRequest {
  'limit'?: (number);
  'cursor'?: (string);
  'selection'?: (_tollgate_routing_v1_ChannelSelection);
}

export interface ListChannelsRequest__Output {
  'limit': (number);
  'cursor': (string);
  'selection': (_tollgate_routing_v1_ChannelSelection__Output);
}
