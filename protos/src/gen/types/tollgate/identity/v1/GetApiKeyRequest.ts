// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';

export interface GetApiKeyRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'keyId'?: (string);
  /**
   * In place of the id, the public part of the key's text, of any account. Operators only.
   */
  'publicId'?: (string);
}

export interface GetApiKeyRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'keyId': (string);
  /**
   * In place of the id, the public part of the key's text, of any account. Operators only.
   */
  'publicId': (string);
}
