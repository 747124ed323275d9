// Original file: tollgate/routing/v1/routing.proto

import type { ChannelModel as _tollgate_routing_v1_ChannelModel, ChannelModel__Output as _tollgate_routing_v1_ChannelModel__Output } from '../../../tollgate/routing/v1/ChannelModel';

export interface ChannelModelList {
  'values'?: (_tollgate_routing_v1_ChannelModel)[];
}

export interface ChannelModelList__Output {
  'values': (_tollgate_routing_v1_ChannelModel__Output)[];
}
