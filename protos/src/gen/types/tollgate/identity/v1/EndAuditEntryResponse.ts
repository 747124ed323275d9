// Original file: tollgate/identity/v1/identity.proto


export interface EndAuditEntryResponse {
}

export interface EndAuditEntryResponse__Output {
}
