// Original file: tollgate/identity/v1/identity.proto


export interface NewOwner {
  'email'?: (string);
  'password'?: (string);
  'displayName'?: (string);
  'mustChangePassword'?: (boolean);
}

export interface NewOwner__Output {
  'email': (string);
  'password': (string);
  'displayName': (string);
  'mustChangePassword': (boolean);
}
