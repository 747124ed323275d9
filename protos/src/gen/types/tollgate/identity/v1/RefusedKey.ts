// Original file: tollgate/identity/v1/identity.proto


/**
 * Why a presented key is not taken. For operators: its bearer is told nothing of it.
 */
export interface RefusedKey {
  /**
   * malformed, unknown, wrong_secret, revoked, disabled, expired or owner_gone.
   */
  'fault'?: (string);
  /**
   * Empty when no key is known by what was presented.
   */
  'accountId'?: (string);
  'keyId'?: (string);
  'preview'?: (string);
}

/**
 * Why a presented key is not taken. For operators: its bearer is told nothing of it.
 */
export interface RefusedKey__Output {
  /**
   * malformed, unknown, wrong_secret, revoked, disabled, expired or owner_gone.
   */
  'fault': (string);
  /**
   * Empty when no key is known by what was presented.
   */
  'accountId': (string);
  'keyId': (string);
  'preview': (string);
}
