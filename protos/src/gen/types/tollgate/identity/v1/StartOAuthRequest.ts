// Original file: tollgate/identity/v1/identity.proto


export interface StartOAuthRequest {
  'provider'?: (string);
  'redirectTo'?: (string);
  'callbackUrl'?: (string);
  /**
   * A random value bound to the browser by cookie; empty for JSON clients.
   */
  'browserBinding'?: (string);
}

export interface StartOAuthRequest__Output {
  'provider': (string);
  'redirectTo': (string);
  'callbackUrl': (string);
  /**
   * A random value bound to the browser by cookie; empty for JSON clients.
   */
  'browserBinding': (string);
}
