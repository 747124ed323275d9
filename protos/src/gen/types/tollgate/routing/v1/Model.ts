// Original file: tollgate/routing/v1/routing.proto

import type { Pricing as _tollgate_routing_v1_Pricing, Pricing__Output as _tollgate_routing_v1_Pricing__Output } from '../../../tollgate/routing/v1/Pricing';
import type { ModelKind as _tollgate_routing_v1_ModelKind, ModelKind__Output as _tollgate_routing_v1_ModelKind__Output } from '../../../tollgate/routing/v1/ModelKind';

export interface Model {
  'name'?: (string);
  'description'?: (string);
  'contextLength'?: (number);
  'maxCompletionTokens'?: (number);
  'pricing'?: (_tollgate_routing_v1_Pricing | null);
  'capabilities'?: (string)[];
  'ownedBy'?: (string);
  'createdAt'?: (string);
  /**
   * At least one enabled channel serves it.
   */
  'available'?: (boolean);
  /**
   * auto, auto-cheap, auto-fast.
   */
  'routing'?: (boolean);
  'kind'?: (_tollgate_routing_v1_ModelKind);
  /**
   * A channel of it was disabled automatically and is probed: it may be enabled again without anybody's doing.
   */
  'recovering'?: (boolean);
  /**
   * Oldest first; empty unless they were asked for.
   */
  'priceVersions'?: (_tollgate_routing_v1_Pricing)[];
  /**
   * Tokens that its vendor published to take, which may be more than context_length: absent where that
   * is not known.
   */
  'vendorContextLength'?: (number);
  '_vendorContextLength'?: "vendorContextLength";
}

export interface Model__Output {
  'name': (string);
  'description': (string);
  'contextLength': (number);
  'maxCompletionTokens': (number);
  'pricing': (_tollgate_routing_v1_Pricing__Output | null);
  'capabilities': (string)[];
  'ownedBy': (string);
  'createdAt': (string);
  /**
   * At least one enabled channel serves it.
   */
  'available': (boolean);
  /**
   * auto, auto-cheap, auto-fast.
   */
  'routing': (boolean);
  'kind': (_tollgate_routing_v1_ModelKind__Output);
  /**
   * A channel of it was disabled automatically and is probed: it may be enabled again without anybody's doing.
   */
  'recovering': (boolean);
  /**
   * Oldest first; empty unless they were asked for.
   */
  'priceVersions': (_tollgate_routing_v1_Pricing__Output)[];
  /**
   * Tokens that its vendor published to take, which may be more than context_length: absent where that
   * is not known.
   */
  'vendorContextLength'?: (number);
  '_vendorContextLength'?: "vendorContextLength";
}
