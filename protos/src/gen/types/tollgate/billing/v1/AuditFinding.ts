// Original file: tollgate/billing/v1/billing.proto


export interface AuditFinding {
  'accountId'?: (string);
  /**
   * The rule that is broken, such as sum, negative, ledger_gap, charges, credits, quarantined.
   */
  'rule'?: (string);
  'detail'?: (string);
}

export interface AuditFinding__Output {
  'accountId': (string);
  /**
   * The rule that is broken, such as sum, negative, ledger_gap, charges, credits, quarantined.
   */
  'rule': (string);
  'detail': (string);
}
