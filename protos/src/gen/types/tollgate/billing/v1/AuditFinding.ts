// Original file: tollgate/billing/v1/billing.proto


export interface AuditFinding {
  'accountId'?: (string);
  'rule'?: (string);
  'detail'?: (string);
}

export interface AuditFinding__Output {
  'accountId': (string);
  'rule': (string);
  'detail': (string);
}
