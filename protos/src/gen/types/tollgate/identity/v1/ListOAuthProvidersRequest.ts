// Original file: tollgate/identity/v1/identity.proto


export interface ListOAuthProvidersRequest {
}

export interface ListOAuthProvidersRequest__Output {
}
