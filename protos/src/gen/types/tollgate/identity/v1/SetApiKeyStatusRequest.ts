// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';

export interface SetApiKeyStatusRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'keyId'?: (string);
  'disabled'?: (boolean);
}

export interface SetApiKeyStatusRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'keyId': (string);
  'disabled': (boolean);
}
