// Original file: tollgate/routing/v1/routing.proto

import type { ChannelType as _tollgate_routing_v1_ChannelType, ChannelType__Output as _tollgate_routing_v1_ChannelType__Output } from '../../../tollgate/routing/v1/ChannelType';

export interface DiscoverModelsRequest {
  'type'?: (_tollgate_routing_v1_ChannelType);
  'baseUrl'?: (string);
  /**
   * May be empty.
   */
  'credential'?: (string);
}

export interface DiscoverModelsRequest__Output {
  'type': (_tollgate_routing_v1_ChannelType__Output);
  'baseUrl': (string);
  /**
   * May be empty.
   */
  'credential': (string);
}
