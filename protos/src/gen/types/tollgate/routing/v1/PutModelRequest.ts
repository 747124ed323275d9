// Original file: tollgate/routing/v1/routing.proto

import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from '../../../tollgate/routing/v1/Model';

export interface PutModelRequest {
  'model'?: (_tollgate_routing_v1_Model | null);
  /**
   * Fails with CONFLICT when the model exists (creating) or NOT_FOUND when not (replacing).
   */
  'create'?: (boolean);
  /**
   * Of a creation; a replacement takes none. The key is empty when the header was absent.
   */
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
  /**
   * Checks and changes nothing: the answer or the error is that of the command, but for no model.
   */
  'validateOnly'?: (boolean);
  /**
   * With validate_only: models that are to be created before this one.
   */
  'createdBefore'?: (number);
}

export interface PutModelRequest__Output {
  'model': (_tollgate_routing_v1_Model__Output | null);
  /**
   * Fails with CONFLICT when the model exists (creating) or NOT_FOUND when not (replacing).
   */
  'create': (boolean);
  /**
   * Of a creation; a replacement takes none. The key is empty when the header was absent.
   */
  'idempotencyKey': (string);
  'bodyDigest': (string);
  /**
   * Checks and changes nothing: the answer or the error is that of the command, but for no model.
   */
  'validateOnly': (boolean);
  /**
   * With validate_only: models that are to be created before this one.
   */
  'createdBefore': (number);
}
