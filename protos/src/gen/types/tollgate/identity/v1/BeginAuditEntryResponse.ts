// Original file: tollgate/identity/v1/identity.proto


export interface BeginAuditEntryResponse {
}

export interface BeginAuditEntryResponse__Output {
}
