// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { UserStatus as _tollgate_identity_v1_UserStatus, UserStatus__Output as _tollgate_identity_v1_UserStatus__Output } from '../../../tollgate/identity/v1/UserStatus';

export interface SetUserStatusRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'userId'?: (string);
  'status'?: (_tollgate_identity_v1_UserStatus);
}

export interface SetUserStatusRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'userId': (string);
  'status': (_tollgate_identity_v1_UserStatus__Output);
}
