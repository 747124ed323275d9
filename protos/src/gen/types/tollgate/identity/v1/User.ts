// Original file: tollgate/identity/v1/identity.proto

import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';
import type { UserStatus as _tollgate_identity_v1_UserStatus, UserStatus__Output as _tollgate_identity_v1_UserStatus__Output } from '../../../tollgate/identity/v1/UserStatus';

export interface User {
  'id'?: (string);
  'email'?: (string);
  'displayName'?: (string);
  'role'?: (_tollgate_identity_v1_Role);
  'status'?: (_tollgate_identity_v1_UserStatus);
  'accountId'?: (string);
  'createdAt'?: (string);
  /**
   * The password was set by somebody else: until it is changed its owner may do nothing else.
   */
  'mustChangePassword'?: (boolean);
}

export interface User__Output {
  'id': (string);
  'email': (string);
  'displayName': (string);
  'role': (_tollgate_identity_v1_Role__Output);
  'status': (_tollgate_identity_v1_UserStatus__Output);
  'accountId': (string);
  'createdAt': (string);
  /**
   * The password was set by somebody else: until it is changed its owner may do nothing else.
   */
  'mustChangePassword': (boolean);
}
