// Original file: tollgate/identity/v1/identity.proto


export interface LoginRequest {
  'email'?: (string);
  'password'?: (string);
  'remoteAddress'?: (string);
}

export interface LoginRequest__Output {
  'email': (string);
  'password': (string);
  'remoteAddress': (string);
}
