// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface RotateApiKeyRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'keyId'?: (string);
  /**
   * 0 to 604800; how long the old secret keeps working.
   */
  'gracePeriodSeconds'?: (number);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
}

export interface RotateApiKeyRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'keyId': (string);
  /**
   * 0 to 604800; how long the old secret keeps working.
   */
  'gracePeriodSeconds': (number);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
}
