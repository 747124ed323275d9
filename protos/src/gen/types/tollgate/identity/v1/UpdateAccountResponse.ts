// Original file: tollgate/identity/v1/identity.proto

import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from '../../../tollgate/identity/v1/Account';

export interface UpdateAccountResponse {
  'account'?: (_tollgate_identity_v1_Account | null);
}

export interface UpdateAccountResponse__Output {
  'account': (_tollgate_identity_v1_Account__Output | null);
}
