// Original file: tollgate/identity/v1/identity.proto


export interface GetUserRequest {
  'userId'?: (string);
  /**
   * When set, the answer is UNAUTHENTICATED if this session of the user is over.
   */
  'sessionId'?: (string);
}

export interface GetUserRequest__Output {
  'userId': (string);
  /**
   * When set, the answer is UNAUTHENTICATED if this session of the user is over.
   */
  'sessionId': (string);
}
