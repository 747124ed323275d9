/** The service's collections; no other service reads them. */
export const COLLECTIONS = {
  accounts: 'billing_accounts',
  answers: 'billing_answers',
  /** How much was kept for each account, hour by hour. */
  answerBytes: 'billing_answer_bytes',
  audits: 'billing_audits',
  auditMarks: 'billing_audit_marks',
  claims: 'billing_claims',
  codes: 'billing_codes',
  currency: 'billing_currency',
  erasures: 'billing_erasures',
  /** What management calls answered under their Idempotency-Key. */
  idempotency: 'billing_idempotency',
  ledger: 'billing_ledger',
  outbox: 'billing_outbox',
  plans: 'billing_plans',
  quarantine: 'billing_quarantine',
  statements: 'billing_statements',
} as const;
