// Original file: tollgate/identity/v1/identity.proto

import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from '../../../tollgate/identity/v1/Account';

export interface EraseAccountResponse {
  'account'?: (_tollgate_identity_v1_Account | null);
  'replayed'?: (boolean);
}

export interface EraseAccountResponse__Output {
  'account': (_tollgate_identity_v1_Account__Output | null);
  'replayed': (boolean);
}
