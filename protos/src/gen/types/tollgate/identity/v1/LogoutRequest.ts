// Original file: tollgate/identity/v1/identity.proto


export interface LogoutRequest {
  'userId'?: (string);
  /**
   * Ends this session only; empty ends every session of the user.
   */
  'sessionId'?: (string);
}

export interface LogoutRequest__Output {
  'userId': (string);
  /**
   * Ends this session only; empty ends every session of the user.
   */
  'sessionId': (string);
}
