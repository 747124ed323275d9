// Original file: tollgate/routing/v1/routing.proto

import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from '../../../tollgate/routing/v1/Model';

export interface PutModelResponse {
  'model'?: (_tollgate_routing_v1_Model | null);
  'replayed'?: (boolean);
}

export interface PutModelResponse__Output {
  'model': (_tollgate_routing_v1_Model__Output | null);
  'replayed': (boolean);
}
