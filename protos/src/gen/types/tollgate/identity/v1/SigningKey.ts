// Original file: tollgate/identity/v1/identity.proto


export interface SigningKey {
  'kid'?: (string);
  /**
   * Public key, SPKI PEM, P-256.
   */
  'publicKeyPem'?: (string);
}

export interface SigningKey__Output {
  'kid': (string);
  /**
   * Public key, SPKI PEM, P-256.
   */
  'publicKeyPem': (string);
}
