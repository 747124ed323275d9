/** The collections of billing; no other service reads them. */
export const ACCOUNTS = 'billing_accounts';
export const LEDGER = 'billing_ledger';
/** What listeners still have to be told. */
export const OUTBOX = 'billing_outbox';
export const QUARANTINE = 'billing_quarantine';
/** The newest audit of all accounts. */
export const AUDITS = 'billing_audits';
