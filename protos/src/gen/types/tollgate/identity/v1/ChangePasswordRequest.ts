// Original file: tollgate/identity/v1/identity.proto


export interface ChangePasswordRequest {
  'userId'?: (string);
  'currentPassword'?: (string);
  'newPassword'?: (string);
}

export interface ChangePasswordRequest__Output {
  'userId': (string);
  'currentPassword': (string);
  'newPassword': (string);
}
