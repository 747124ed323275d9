/** The service's collections; no other service reads them. */
export const COLLECTIONS = {
  endpoints: 'webhook_endpoints',
  deliveries: 'webhook_deliveries',
  recentDenials: 'webhook_denials',
  // The released name: it is older than the word denial.
  denialSpells: 'webhook_refusals',
  erasures: 'webhook_erasures',
  idempotency: 'webhook_idempotency',
} as const;
