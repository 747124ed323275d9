// Original file: tollgate/identity/v1/identity.proto


export interface KeyUse {
  'keyId'?: (string);
  'lastUsedAt'?: (string);
}

export interface KeyUse__Output {
  'keyId': (string);
  'lastUsedAt': (string);
}
