// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';

export interface UpdateMemberRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'userId'?: (string);
  /**
   * Absent or unspecified members stay as they are.
   */
  'displayName'?: (string);
  'role'?: (_tollgate_identity_v1_Role);
  /**
   * Of another account than the actor's, too: operators only.
   */
  'anyAccount'?: (boolean);
  /**
   * With any_account alone: the operator vouches for the address, also for the one that the user has.
   */
  'email'?: (string);
  '_displayName'?: "displayName";
  '_email'?: "email";
}

export interface UpdateMemberRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'userId': (string);
  /**
   * Absent or unspecified members stay as they are.
   */
  'displayName'?: (string);
  'role': (_tollgate_identity_v1_Role__Output);
  /**
   * Of another account than the actor's, too: operators only.
   */
  'anyAccount': (boolean);
  /**
   * With any_account alone: the operator vouches for the address, also for the one that the user has.
   */
  'email'?: (string);
  '_displayName'?: "displayName";
  '_email'?: "email";
}
