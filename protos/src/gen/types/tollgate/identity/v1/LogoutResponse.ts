// Original file: tollgate/identity/v1/identity.proto


export interface LogoutResponse {
}

export interface LogoutResponse__Output {
}
