// Original file: tollgate/identity/v1/identity.proto


export interface ResetPasswordResponse {
  'userId'?: (string);
}

export interface ResetPasswordResponse__Output {
  'userId': (string);
}
