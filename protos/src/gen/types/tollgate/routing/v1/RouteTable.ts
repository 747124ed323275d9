// Original file: tollgate/routing/v1/routing.proto

import type { RouteChannel as _tollgate_routing_v1_RouteChannel, RouteChannel__Output as _tollgate_routing_v1_RouteChannel__Output } from '../../../tollgate/routing/v1/RouteChannel';
import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from '../../../tollgate/routing/v1/Model';
import type { Long } from '@grpc/proto-loader';

export interface RouteTable {
  'revision'?: (number | string | Long);
  'channels'?: (_tollgate_routing_v1_RouteChannel)[];
  'models'?: (_tollgate_routing_v1_Model)[];
  'currency'?: (string);
}

export interface RouteTable__Output {
  'revision': (string);
  'channels': (_tollgate_routing_v1_RouteChannel__Output)[];
  'models': (_tollgate_routing_v1_Model__Output)[];
  'currency': (string);
}
