// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { ApiKeySettings as _tollgate_identity_v1_ApiKeySettings, ApiKeySettings__Output as _tollgate_identity_v1_ApiKeySettings__Output } from '../../../tollgate/identity/v1/ApiKeySettings';

export interface UpdateApiKeyRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'keyId'?: (string);
  'settings'?: (_tollgate_identity_v1_ApiKeySettings | null);
}

export interface UpdateApiKeyRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'keyId': (string);
  'settings': (_tollgate_identity_v1_ApiKeySettings__Output | null);
}
