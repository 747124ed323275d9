// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { ApiKeySettings as _tollgate_identity_v1_ApiKeySettings, ApiKeySettings__Output as _tollgate_identity_v1_ApiKeySettings__Output } from '../../../tollgate/identity/v1/ApiKeySettings';
import type { Idempotency as _tollgate_identity_v1_Idempotency, Idempotency__Output as _tollgate_identity_v1_Idempotency__Output } from '../../../tollgate/identity/v1/Idempotency';

export interface CreateApiKeyRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'settings'?: (_tollgate_identity_v1_ApiKeySettings | null);
  'idempotency'?: (_tollgate_identity_v1_Idempotency | null);
}

export interface CreateApiKeyRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'settings': (_tollgate_identity_v1_ApiKeySettings__Output | null);
  'idempotency': (_tollgate_identity_v1_Idempotency__Output | null);
}
