// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface EraseAccountRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'accountId'?: (string);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
}

export interface EraseAccountRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'accountId': (string);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
}
