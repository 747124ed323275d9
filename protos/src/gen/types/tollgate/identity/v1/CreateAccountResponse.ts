// Original file: tollgate/identity/v1/identity.proto

import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from '../../../tollgate/identity/v1/Account';
import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from '../../../tollgate/identity/v1/User';

export interface CreateAccountResponse {
  'account'?: (_tollgate_identity_v1_Account | null);
  'owner'?: (_tollgate_identity_v1_User | null);
  'replayed'?: (boolean);
}

export interface CreateAccountResponse__Output {
  'account': (_tollgate_identity_v1_Account__Output | null);
  'owner': (_tollgate_identity_v1_User__Output | null);
  'replayed': (boolean);
}
