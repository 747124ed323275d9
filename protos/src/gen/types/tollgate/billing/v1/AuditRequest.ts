// Original file: tollgate/billing/v1/billing.proto


export interface AuditRequest {
  'accountId'?: (string);
}

export interface AuditRequest__Output {
  'accountId': (string);
}
