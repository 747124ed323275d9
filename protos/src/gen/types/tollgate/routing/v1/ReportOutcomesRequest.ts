// Original file: tollgate/routing/v1/routing.proto

import type { ChannelOutcome as _tollgate_routing_v1_ChannelOutcome, ChannelOutcome__Output as _tollgate_routing_v1_ChannelOutcome__Output } from '../../../tollgate/routing/v1/ChannelOutcome';

export interface ReportOutcomesRequest {
  'outcomes'?: (_tollgate_routing_v1_ChannelOutcome)[];
}

export interface ReportOutcomesRequest__Output {
  'outcomes': (_tollgate_routing_v1_ChannelOutcome__Output)[];
}
