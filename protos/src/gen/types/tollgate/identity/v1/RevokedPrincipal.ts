// Original file: tollgate/identity/v1/identity.proto


export interface RevokedPrincipal {
  /**
   * One of the two is set: a key, or a whole account (suspension, plan change).
   */
  'keyId'?: (string);
  'accountId'?: (string);
}

export interface RevokedPrincipal__Output {
  /**
   * One of the two is set: a key, or a whole account (suspension, plan change).
   */
  'keyId': (string);
  'accountId': (string);
}
