/** The collections of billing; no other service reads them. */
export const ACCOUNTS = 'billing_accounts';
export const LEDGER = 'billing_ledger';
