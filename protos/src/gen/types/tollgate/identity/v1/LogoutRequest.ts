// Original file: tollgate/identity/v1/identity.proto


export interface LogoutRequest {
  'userId'?: (string);
  'sessionId'?: (string);
}

export interface LogoutRequest__Output {
  'userId': (string);
  'sessionId': (string);
}
