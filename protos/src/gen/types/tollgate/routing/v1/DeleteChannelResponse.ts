// Original file: tollgate/routing/v1/routing.proto


export interface DeleteChannelResponse {
}

export interface DeleteChannelResponse__Output {
}
