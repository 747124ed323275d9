// Original file: tollgate/identity/v1/identity.proto


export interface LogoutRequest {
  'userId'?: (string);
  /**
   * Ends this session only; empty ends every session of the user.
   */
  'sessionId'?: (string);
  /**
   * Names the session, and who logs out, in place of the two above.
   */
  'refreshToken'?: (string);
  /**
   * With a refresh token: ends every session of its user.
   */
  'allSessions'?: (boolean);
}

export interface LogoutRequest__Output {
  'userId': (string);
  /**
   * Ends this session only; empty ends every session of the user.
   */
  'sessionId': (string);
  /**
   * Names the session, and who logs out, in place of the two above.
   */
  'refreshToken': (string);
  /**
   * With a refresh token: ends every session of its user.
   */
  'allSessions': (boolean);
}
