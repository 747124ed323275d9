// Original file: tollgate/identity/v1/identity.proto


export interface ChangePasswordResponse {
  'replayed'?: (boolean);
}

export interface ChangePasswordResponse__Output {
  'replayed': (boolean);
}
