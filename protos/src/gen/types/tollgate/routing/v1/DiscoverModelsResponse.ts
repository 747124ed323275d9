// Original file: tollgate/routing/v1/routing.proto

import type { ListPrice as _tollgate_routing_v1_ListPrice, ListPrice__Output as _tollgate_routing_v1_ListPrice__Output } from '../../../tollgate/routing/v1/ListPrice';
import type { VendorModel as _tollgate_routing_v1_VendorModel, VendorModel__Output as _tollgate_routing_v1_VendorModel__Output } from '../../../tollgate/routing/v1/VendorModel';

export interface DiscoverModelsResponse {
  /**
   * The vendor's names; of a long list the first ones.
   */
  'names'?: (string)[];
  /**
   * Absent when there was no answer.
   */
  'httpStatus'?: (number);
  /**
   * Why there is no list, in a sentence; empty when there is one.
   */
  'error'?: (string);
  /**
   * Of those names whose published price is known in the currency of the deployment.
   */
  'listPrices'?: (_tollgate_routing_v1_ListPrice)[];
  /**
   * One for each of the names, in their order.
   */
  'models'?: (_tollgate_routing_v1_VendorModel)[];
  '_httpStatus'?: "httpStatus";
}

export interface DiscoverModelsResponse__Output {
  /**
   * The vendor's names; of a long list the first ones.
   */
  'names': (string)[];
  /**
   * Absent when there was no answer.
   */
  'httpStatus'?: (number);
  /**
   * Why there is no list, in a sentence; empty when there is one.
   */
  'error': (string);
  /**
   * Of those names whose published price is known in the currency of the deployment.
   */
  'listPrices': (_tollgate_routing_v1_ListPrice__Output)[];
  /**
   * One for each of the names, in their order.
   */
  'models': (_tollgate_routing_v1_VendorModel__Output)[];
  '_httpStatus'?: "httpStatus";
}
