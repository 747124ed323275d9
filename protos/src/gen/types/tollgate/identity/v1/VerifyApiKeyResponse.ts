// Original file: tollgate/identity/v1/identity.proto

import type { Principal as _tollgate_identity_v1_Principal, Principal__Output as _tollgate_identity_v1_Principal__Output } from '../../../tollgate/identity/v1/Principal';
import type { Long } from '@grpc/proto-loader';

export interface VerifyApiKeyResponse {
  'principal'?: (_tollgate_identity_v1_Principal | null);
  /**
   * The revision of the revocation stream at which this answer held.
   */
  'revision'?: (number | string | Long);
}

export interface VerifyApiKeyResponse__Output {
  'principal': (_tollgate_identity_v1_Principal__Output | null);
  /**
   * The revision of the revocation stream at which this answer held.
   */
  'revision': (string);
}
