// Original file: tollgate/identity/v1/identity.proto


export interface OAuthProvider {
  'id'?: (string);
  'name'?: (string);
}

export interface OAuthProvider__Output {
  'id': (string);
  'name': (string);
}
