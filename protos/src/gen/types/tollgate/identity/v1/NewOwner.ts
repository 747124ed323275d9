// Original file: tollgate/identity/v1/identity.proto


export interface NewOwner {
  'email'?: (string);
  'password'?: (string);
  'displayName'?: (string);
}

export interface NewOwner__Output {
  'email': (string);
  'password': (string);
  'displayName': (string);
}
