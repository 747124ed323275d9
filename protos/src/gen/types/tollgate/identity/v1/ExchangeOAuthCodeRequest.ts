// Original file: tollgate/identity/v1/identity.proto


export interface ExchangeOAuthCodeRequest {
  'code'?: (string);
  /**
   * What the login was bound to the browser with; the code is worth nothing to another one.
   */
  'browserBinding'?: (string);
}

export interface ExchangeOAuthCodeRequest__Output {
  'code': (string);
  /**
   * What the login was bound to the browser with; the code is worth nothing to another one.
   */
  'browserBinding': (string);
}
