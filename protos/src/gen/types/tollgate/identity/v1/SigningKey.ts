// Original file: tollgate/identity/v1/identity.proto


export interface SigningKey {
  'kid'?: (string);
  'publicKeyPem'?: (string);
}

export interface SigningKey__Output {
  'kid': (string);
  'publicKeyPem': (string);
}
