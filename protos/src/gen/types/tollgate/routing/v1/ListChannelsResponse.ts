// Original file: tollgate/routing/v1/routing.proto

import type { Channel as _tollgate_routing_v1_Channel, Channel__Output as _tollgate_routing_v1_Channel__Output } from '../../../tollgate/routing/v1/Channel';

export interface ListChannelsResponse {
  'channels'?: (_tollgate_routing_v1_Channel)[];
  'nextCursor'?: (string);
}

export interface ListChannelsResponse__Output {
  'channels': (_tollgate_routing_v1_Channel__Output)[];
  'nextCursor': (string);
}
