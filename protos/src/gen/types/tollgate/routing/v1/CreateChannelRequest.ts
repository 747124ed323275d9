// Original file: tollgate/routing/v1/routing.proto

import type { ChannelSettings as _tollgate_routing_v1_ChannelSettings, ChannelSettings__Output as _tollgate_routing_v1_ChannelSettings__Output } from '../../../tollgate/routing/v1/ChannelSettings';

export interface CreateChannelRequest {
  'settings'?: (_tollgate_routing_v1_ChannelSettings | null);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface CreateChannelRequest__Output {
  'settings': (_tollgate_routing_v1_ChannelSettings__Output | null);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
