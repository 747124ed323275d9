import { join } from 'node:path';

export * as completionV1 from './gen/codecs/tollgate/completion/v1/completion';
export type * as billingV1 from './gen/types/tollgate/billing/v1';
export type * as identityV1 from './gen/types/tollgate/identity/v1';
export type * as routingV1 from './gen/types/tollgate/routing/v1';
export type * as statsV1 from './gen/types/tollgate/stats/v1';
export type * as webhookV1 from './gen/types/tollgate/webhook/v1';

/** The folder that `import "tollgate/..."` is resolved against. */
export const PROTO_DIRECTORY = join(__dirname, '..');

/** The services that proto-loader reads at start; completion has static codecs. */
export const CONTROL_PLANE = {
  billing: {
    file: 'tollgate/billing/v1/billing.proto',
    service: 'tollgate.billing.v1.BillingService',
  },
  identity: {
    file: 'tollgate/identity/v1/identity.proto',
    service: 'tollgate.identity.v1.IdentityService',
  },
  routing: {
    file: 'tollgate/routing/v1/routing.proto',
    service: 'tollgate.routing.v1.RoutingService',
  },
  stats: { file: 'tollgate/stats/v1/stats.proto', service: 'tollgate.stats.v1.StatsService' },
  webhook: {
    file: 'tollgate/webhook/v1/webhook.proto',
    service: 'tollgate.webhook.v1.WebhookService',
  },
} as const;

/** The one set of proto-loader options: the generated types hold only with exactly these. */
export const PROTO_LOADER_OPTIONS = {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [PROTO_DIRECTORY],
} as const;
