// Original file: tollgate/identity/v1/identity.proto

import type { SigningKey as _tollgate_identity_v1_SigningKey, SigningKey__Output as _tollgate_identity_v1_SigningKey__Output } from '../../../tollgate/identity/v1/SigningKey';

export interface GetSigningKeysResponse {
  'keys'?: (_tollgate_identity_v1_SigningKey)[];
  'issuer'?: (string);
  'audience'?: (string);
}

export interface GetSigningKeysResponse__Output {
  'keys': (_tollgate_identity_v1_SigningKey__Output)[];
  'issuer': (string);
  'audience': (string);
}
