// Original file: tollgate/identity/v1/identity.proto

import type { Principal as _tollgate_identity_v1_Principal, Principal__Output as _tollgate_identity_v1_Principal__Output } from '../../../tollgate/identity/v1/Principal';
import type { RefusedKey as _tollgate_identity_v1_RefusedKey, RefusedKey__Output as _tollgate_identity_v1_RefusedKey__Output } from '../../../tollgate/identity/v1/RefusedKey';
import type { Long } from '@grpc/proto-loader';

export interface VerifyApiKeyResponse {
  'principal'?: (_tollgate_identity_v1_Principal | null);
  /**
   * The revision of the revocation stream at which this answer held.
   */
  'revision'?: (number | string | Long);
  /**
   * In the place of a principal, where the question asked for it.
   */
  'refusal'?: (_tollgate_identity_v1_RefusedKey | null);
}

export interface VerifyApiKeyResponse__Output {
  'principal': (_tollgate_identity_v1_Principal__Output | null);
  /**
   * The revision of the revocation stream at which this answer held.
   */
  'revision': (string);
  /**
   * In the place of a principal, where the question asked for it.
   */
  'refusal': (_tollgate_identity_v1_RefusedKey__Output | null);
}
