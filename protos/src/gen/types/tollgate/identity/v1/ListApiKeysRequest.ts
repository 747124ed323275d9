// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';

export interface ListApiKeysRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * Another account than the actor's: operators only.
   */
  'accountId'?: (string);
}

export interface ListApiKeysRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'limit': (number);
  'cursor': (string);
  /**
   * Another account than the actor's: operators only.
   */
  'accountId': (string);
}
