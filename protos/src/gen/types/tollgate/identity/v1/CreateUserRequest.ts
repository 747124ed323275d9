// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface CreateUserRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'email'?: (string);
  'password'?: (string);
  'displayName'?: (string);
  /**
   * Set by operators to join an existing account; otherwise a new account is made.
   */
  'accountId'?: (string);
  'role'?: (_tollgate_identity_v1_Role);
  /**
   * A self-registration; refused unless configuration opens it.
   */
  'registration'?: (boolean);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
  'mustChangePassword'?: (boolean);
}

export interface CreateUserRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'email': (string);
  'password': (string);
  'displayName': (string);
  /**
   * Set by operators to join an existing account; otherwise a new account is made.
   */
  'accountId': (string);
  'role': (_tollgate_identity_v1_Role__Output);
  /**
   * A self-registration; refused unless configuration opens it.
   */
  'registration': (boolean);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
  'mustChangePassword': (boolean);
}
