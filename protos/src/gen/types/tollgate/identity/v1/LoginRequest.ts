// Original file: tollgate/identity/v1/identity.proto


export interface LoginRequest {
  'email'?: (string);
  'password'?: (string);
  /**
   * For bounding brute force; never stored beside a password.
   */
  'remoteAddress'?: (string);
}

export interface LoginRequest__Output {
  'email': (string);
  'password': (string);
  /**
   * For bounding brute force; never stored beside a password.
   */
  'remoteAddress': (string);
}
