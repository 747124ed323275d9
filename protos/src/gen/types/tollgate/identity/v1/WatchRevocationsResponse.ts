// Original file: tollgate/identity/v1/identity.proto

import type { RevokedPrincipal as _tollgate_identity_v1_RevokedPrincipal, RevokedPrincipal__Output as _tollgate_identity_v1_RevokedPrincipal__Output } from '../../../tollgate/identity/v1/RevokedPrincipal';
import type { Long } from '@grpc/proto-loader';

export interface WatchRevocationsResponse {
  'revision'?: (number | string | Long);
  'changes'?: (_tollgate_identity_v1_RevokedPrincipal)[];
  'reset'?: (boolean);
}

export interface WatchRevocationsResponse__Output {
  'revision': (string);
  'changes': (_tollgate_identity_v1_RevokedPrincipal__Output)[];
  'reset': (boolean);
}
