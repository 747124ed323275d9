// Original file: tollgate/routing/v1/routing.proto

import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from '../../../tollgate/routing/v1/Model';

export interface ListModelsResponse {
  'models'?: (_tollgate_routing_v1_Model)[];
}

export interface ListModelsResponse__Output {
  'models': (_tollgate_routing_v1_Model__Output)[];
}
