/** The service's collections; no other service reads them. Two names are older than their prefix. */
export const COLLECTIONS = {
  channels: 'channels',
  models: 'models',
  idempotency: 'routing_idempotency',
} as const;
