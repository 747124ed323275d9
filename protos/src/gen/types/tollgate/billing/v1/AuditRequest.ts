// Original file: tollgate/billing/v1/billing.proto


export interface AuditRequest {
  /**
   * Empty: every account.
   */
  'accountId'?: (string);
}

export interface AuditRequest__Output {
  /**
   * Empty: every account.
   */
  'accountId': (string);
}
