// Original file: tollgate/identity/v1/identity.proto


export interface ExchangeOAuthCodeRequest {
  'code'?: (string);
}

export interface ExchangeOAuthCodeRequest__Output {
  'code': (string);
}
