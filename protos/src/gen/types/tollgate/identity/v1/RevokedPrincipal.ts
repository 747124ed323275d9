// Original file: tollgate/identity/v1/identity.proto


export interface RevokedPrincipal {
  /**
   * One of the three is set: a key, a whole account (suspension, plan change, granted groups), or a
   * user of whom a session ended.
   */
  'keyId'?: (string);
  'accountId'?: (string);
  'userId'?: (string);
}

export interface RevokedPrincipal__Output {
  /**
   * One of the three is set: a key, a whole account (suspension, plan change, granted groups), or a
   * user of whom a session ended.
   */
  'keyId': (string);
  'accountId': (string);
  'userId': (string);
}
