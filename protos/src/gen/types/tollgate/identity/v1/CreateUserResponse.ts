// Original file: tollgate/identity/v1/identity.proto

import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from '../../../tollgate/identity/v1/User';
import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from '../../../tollgate/identity/v1/Account';

export interface CreateUserResponse {
  'user'?: (_tollgate_identity_v1_User | null);
  'account'?: (_tollgate_identity_v1_Account | null);
  'replayed'?: (boolean);
}

export interface CreateUserResponse__Output {
  'user': (_tollgate_identity_v1_User__Output | null);
  'account': (_tollgate_identity_v1_Account__Output | null);
  'replayed': (boolean);
}
