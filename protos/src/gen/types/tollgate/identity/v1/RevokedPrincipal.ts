// Original file: tollgate/identity/v1/identity.proto


export interface RevokedPrincipal {
  'keyId'?: (string);
  'accountId'?: (string);
}

export interface RevokedPrincipal__Output {
  'keyId': (string);
  'accountId': (string);
}
