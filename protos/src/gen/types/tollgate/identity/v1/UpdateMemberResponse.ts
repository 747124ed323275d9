// Original file: tollgate/identity/v1/identity.proto

import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from '../../../tollgate/identity/v1/User';

export interface UpdateMemberResponse {
  'user'?: (_tollgate_identity_v1_User | null);
}

export interface UpdateMemberResponse__Output {
  'user': (_tollgate_identity_v1_User__Output | null);
}
