// Original file: tollgate/identity/v1/identity.proto

import type { User as _tollgate_identity_v1_User, User__Output as _tollgate_identity_v1_User__Output } from '../../../tollgate/identity/v1/User';

export interface StartPasswordResetResponse {
  'user'?: (_tollgate_identity_v1_User | null);
  /**
   * Told once.
   */
  'code'?: (string);
  'expiresAt'?: (string);
}

export interface StartPasswordResetResponse__Output {
  'user': (_tollgate_identity_v1_User__Output | null);
  /**
   * Told once.
   */
  'code': (string);
  'expiresAt': (string);
}
