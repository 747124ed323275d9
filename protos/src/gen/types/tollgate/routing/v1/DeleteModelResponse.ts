// Original file: tollgate/routing/v1/routing.proto


export interface DeleteModelResponse {
}

export interface DeleteModelResponse__Output {
}
