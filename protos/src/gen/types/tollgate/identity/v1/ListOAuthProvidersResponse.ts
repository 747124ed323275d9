// Original file: tollgate/identity/v1/identity.proto

import type { OAuthProvider as _tollgate_identity_v1_OAuthProvider, OAuthProvider__Output as _tollgate_identity_v1_OAuthProvider__Output } from '../../../tollgate/identity/v1/OAuthProvider';

export interface ListOAuthProvidersResponse {
  'providers'?: (_tollgate_identity_v1_OAuthProvider)[];
}

export interface ListOAuthProvidersResponse__Output {
  'providers': (_tollgate_identity_v1_OAuthProvider__Output)[];
}
