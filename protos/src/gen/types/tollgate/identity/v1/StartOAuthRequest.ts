// Original file: tollgate/identity/v1/identity.proto


export interface StartOAuthRequest {
  'provider'?: (string);
  'redirectTo'?: (string);
  'callbackUrl'?: (string);
  'browserBinding'?: (string);
}

export interface StartOAuthRequest__Output {
  'provider': (string);
  'redirectTo': (string);
  'callbackUrl': (string);
  'browserBinding': (string);
}
