// Original file: tollgate/routing/v1/routing.proto

import type { ModelKind as _tollgate_routing_v1_ModelKind, ModelKind__Output as _tollgate_routing_v1_ModelKind__Output } from '../../../tollgate/routing/v1/ModelKind';

export interface VendorModel {
  'name'?: (string);
  /**
   * Unspecified for one that can be asked neither for text nor for vectors.
   */
  'kind'?: (_tollgate_routing_v1_ModelKind);
  /**
   * In tokens, as far as the vendor tells them or publishes them.
   */
  'contextLength'?: (number);
  'maxCompletionTokens'?: (number);
  '_contextLength'?: "contextLength";
  '_maxCompletionTokens'?: "maxCompletionTokens";
}

export interface VendorModel__Output {
  'name': (string);
  /**
   * Unspecified for one that can be asked neither for text nor for vectors.
   */
  'kind': (_tollgate_routing_v1_ModelKind__Output);
  /**
   * In tokens, as far as the vendor tells them or publishes them.
   */
  'contextLength'?: (number);
  'maxCompletionTokens'?: (number);
  '_contextLength'?: "contextLength";
  '_maxCompletionTokens'?: "maxCompletionTokens";
}
