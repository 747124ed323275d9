// Original file: tollgate/identity/v1/identity.proto

import type { KeyUse as _tollgate_identity_v1_KeyUse, KeyUse__Output as _tollgate_identity_v1_KeyUse__Output } from '../../../tollgate/identity/v1/KeyUse';

export interface ReportKeyUsesRequest {
  /**
   * At most 1000.
   */
  'uses'?: (_tollgate_identity_v1_KeyUse)[];
}

export interface ReportKeyUsesRequest__Output {
  /**
   * At most 1000.
   */
  'uses': (_tollgate_identity_v1_KeyUse__Output)[];
}
