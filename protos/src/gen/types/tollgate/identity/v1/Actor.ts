// Original file: tollgate/identity/v1/identity.proto

import type { Role as _tollgate_identity_v1_Role, Role__Output as _tollgate_identity_v1_Role__Output } from '../../../tollgate/identity/v1/Role';

/**
 * Who acts: filled by the gateway from the authenticated principal.
 */
export interface Actor {
  'accountId'?: (string);
  'userId'?: (string);
  'keyId'?: (string);
  'operator'?: (boolean);
  'role'?: (_tollgate_identity_v1_Role);
  'scopes'?: (string)[];
  /**
   * When the presented secret stops working; a replaced one does so before its key.
   */
  'expiresAt'?: (string);
}

/**
 * Who acts: filled by the gateway from the authenticated principal.
 */
export interface Actor__Output {
  'accountId': (string);
  'userId': (string);
  'keyId': (string);
  'operator': (boolean);
  'role': (_tollgate_identity_v1_Role__Output);
  'scopes': (string)[];
  /**
   * When the presented secret stops working; a replaced one does so before its key.
   */
  'expiresAt': (string);
}
