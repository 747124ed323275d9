// Original file: tollgate/identity/v1/identity.proto

import type { ApiKey as _tollgate_identity_v1_ApiKey, ApiKey__Output as _tollgate_identity_v1_ApiKey__Output } from '../../../tollgate/identity/v1/ApiKey';

export interface SetApiKeyStatusResponse {
  'apiKey'?: (_tollgate_identity_v1_ApiKey | null);
}

export interface SetApiKeyStatusResponse__Output {
  'apiKey': (_tollgate_identity_v1_ApiKey__Output | null);
}
