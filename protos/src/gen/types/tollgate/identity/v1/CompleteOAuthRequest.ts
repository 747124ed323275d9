// Original file: tollgate/identity/v1/identity.proto


export interface CompleteOAuthRequest {
  'callbackUrl'?: (string);
  'state'?: (string);
  'browserBinding'?: (string);
  'wantCode'?: (boolean);
}

export interface CompleteOAuthRequest__Output {
  'callbackUrl': (string);
  'state': (string);
  'browserBinding': (string);
  'wantCode': (boolean);
}
