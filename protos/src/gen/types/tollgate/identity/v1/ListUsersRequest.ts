// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';

export interface ListUsersRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'accountId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * How addresses begin; empty is any. The page is in their order then, otherwise newest first.
   */
  'email'?: (string);
}

export interface ListUsersRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'accountId': (string);
  'limit': (number);
  'cursor': (string);
  /**
   * How addresses begin; empty is any. The page is in their order then, otherwise newest first.
   */
  'email': (string);
}
