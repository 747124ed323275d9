// Original file: tollgate/billing/v1/billing.proto


export interface KeepAnswerResponse {
}

export interface KeepAnswerResponse__Output {
}
