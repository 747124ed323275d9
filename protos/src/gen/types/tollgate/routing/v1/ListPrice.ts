// Original file: tollgate/routing/v1/routing.proto

import type { Pricing as _tollgate_routing_v1_Pricing, Pricing__Output as _tollgate_routing_v1_Pricing__Output } from '../../../tollgate/routing/v1/Pricing';

export interface ListPrice {
  'model'?: (string);
  'pricing'?: (_tollgate_routing_v1_Pricing | null);
}

export interface ListPrice__Output {
  'model': (string);
  'pricing': (_tollgate_routing_v1_Pricing__Output | null);
}
