// Original file: tollgate/billing/v1/billing.proto


export interface DropAnswerResponse {
}

export interface DropAnswerResponse__Output {
}
