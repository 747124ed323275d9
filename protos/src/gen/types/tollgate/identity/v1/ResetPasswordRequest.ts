// Original file: tollgate/identity/v1/identity.proto


export interface ResetPasswordRequest {
  'code'?: (string);
  'newPassword'?: (string);
  /**
   * For bounding brute force.
   */
  'remoteAddress'?: (string);
}

export interface ResetPasswordRequest__Output {
  'code': (string);
  'newPassword': (string);
  /**
   * For bounding brute force.
   */
  'remoteAddress': (string);
}
