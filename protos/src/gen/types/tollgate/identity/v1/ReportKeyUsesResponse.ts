// Original file: tollgate/identity/v1/identity.proto


export interface ReportKeyUsesResponse {
}

export interface ReportKeyUsesResponse__Output {
}
