// Original file: tollgate/identity/v1/identity.proto

import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface ChangePasswordRequest {
  'userId'?: (string);
  'currentPassword'?: (string);
  'newPassword'?: (string);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
}

export interface ChangePasswordRequest__Output {
  'userId': (string);
  'currentPassword': (string);
  'newPassword': (string);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
}
