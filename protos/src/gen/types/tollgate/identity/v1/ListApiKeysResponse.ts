// Original file: tollgate/identity/v1/identity.proto

import type { ApiKey as _tollgate_identity_v1_ApiKey, ApiKey__Output as _tollgate_identity_v1_ApiKey__Output } from '../../../tollgate/identity/v1/ApiKey';

export interface ListApiKeysResponse {
  'apiKeys'?: (_tollgate_identity_v1_ApiKey)[];
  'nextCursor'?: (string);
}

export interface ListApiKeysResponse__Output {
  'apiKeys': (_tollgate_identity_v1_ApiKey__Output)[];
  'nextCursor': (string);
}
