// Original file: tollgate/identity/v1/identity.proto

import type { Account as _tollgate_identity_v1_Account, Account__Output as _tollgate_identity_v1_Account__Output } from '../../../tollgate/identity/v1/Account';

export interface ListAccountsResponse {
  'accounts'?: (_tollgate_identity_v1_Account)[];
  'nextCursor'?: (string);
}

export interface ListAccountsResponse__Output {
  'accounts': (_tollgate_identity_v1_Account__Output)[];
  'nextCursor': (string);
}
