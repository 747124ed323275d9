export * as completionV1 from './gen/codecs/tollgate/completion/v1/completion';
export { CONTROL_PLANE_JSON } from './gen/control-plane';
export type * as billingV1 from './gen/types/tollgate/billing/v1';
export type * as identityV1 from './gen/types/tollgate/identity/v1';
export type * as routingV1 from './gen/types/tollgate/routing/v1';
export type * as statsV1 from './gen/types/tollgate/stats/v1';
export type * as webhookV1 from './gen/types/tollgate/webhook/v1';

/** The services whose codecs are made at run time; completion has static ones. */
export const CONTROL_PLANE = {
  billing: 'tollgate.billing.v1.BillingService',
  identity: 'tollgate.identity.v1.IdentityService',
  routing: 'tollgate.routing.v1.RoutingService',
  stats: 'tollgate.stats.v1.StatsService',
  webhook: 'tollgate.webhook.v1.WebhookService',
} as const;

/** How messages become objects: the generated types hold only with exactly these. */
export const CONVERSION = { longs: String, enums: String, defaults: true, oneofs: true } as const;
