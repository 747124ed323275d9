// Original file: tollgate/routing/v1/routing.proto

import type { RouteChanges as _tollgate_routing_v1_RouteChanges, RouteChanges__Output as _tollgate_routing_v1_RouteChanges__Output } from '../../../tollgate/routing/v1/RouteChanges';
import type { Long } from '@grpc/proto-loader';

export interface WatchRouteTableResponse {
  'revision'?: (number | string | Long);
  /**
   * Absent in a heartbeat. Of one change there may be several messages, of bounded size.
   */
  'changes'?: (_tollgate_routing_v1_RouteChanges | null);
}

export interface WatchRouteTableResponse__Output {
  'revision': (string);
  /**
   * Absent in a heartbeat. Of one change there may be several messages, of bounded size.
   */
  'changes': (_tollgate_routing_v1_RouteChanges__Output | null);
}
