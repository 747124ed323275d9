// Original file: tollgate/identity/v1/identity.proto


export interface CompleteOAuthRequest {
  /**
   * The whole callback URL as the browser asked for it.
   */
  'callbackUrl'?: (string);
  'state'?: (string);
  'browserBinding'?: (string);
  /**
   * When set, the answer carries a one-time code in place of the session.
   */
  'wantCode'?: (boolean);
}

export interface CompleteOAuthRequest__Output {
  /**
   * The whole callback URL as the browser asked for it.
   */
  'callbackUrl': (string);
  'state': (string);
  'browserBinding': (string);
  /**
   * When set, the answer carries a one-time code in place of the session.
   */
  'wantCode': (boolean);
}
