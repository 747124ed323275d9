// Original file: tollgate/identity/v1/identity.proto

import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from '../../../tollgate/identity/v1/User';

export interface ListUsersResponse {
  'users'?: (_tollgate_identity_v1_User)[];
  'nextCursor'?: (string);
}

export interface ListUsersResponse__Output {
  'users': (_tollgate_identity_v1_User__Output)[];
  'nextCursor': (string);
}
