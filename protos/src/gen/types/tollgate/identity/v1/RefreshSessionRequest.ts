// Original file: tollgate/identity/v1/identity.proto


export interface RefreshSessionRequest {
  'refreshToken'?: (string);
  /**
   * The token is in a cookie, which all tabs of a browser share: two that send it within seconds
   * are no thief and owner.
   */
  'cookie'?: (boolean);
}

export interface RefreshSessionRequest__Output {
  'refreshToken': (string);
  /**
   * The token is in a cookie, which all tabs of a browser share: two that send it within seconds
   * are no thief and owner.
   */
  'cookie': (boolean);
}
