// Original file: tollgate/identity/v1/identity.proto


export interface StartOAuthResponse {
  'authorizationUrl'?: (string);
  'state'?: (string);
}

export interface StartOAuthResponse__Output {
  'authorizationUrl': (string);
  'state': (string);
}
