// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { NewOwner as _tollgate_identity_v1_NewOwner, NewOwner__Output as _tollgate_identity_v1_NewOwner__Output } from '../../../tollgate/identity/v1/NewOwner';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface CreateAccountRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'name'?: (string);
  'plan'?: (string);
  'owner'?: (_tollgate_identity_v1_NewOwner | null);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
}

export interface CreateAccountRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'name': (string);
  'plan': (string);
  'owner': (_tollgate_identity_v1_NewOwner__Output | null);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
}
