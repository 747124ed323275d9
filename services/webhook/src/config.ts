import { allowedHosts, type ConfigOf, defineConfig, integer, shared } from '@tollgate/config';
import { LEADER_TTL_MS_MAX } from '@tollgate/jobs';

/** Everything that webhook reads from its environment. */
export const webhookConfigSchema = defineConfig({
  listen: shared.listen('webhook'),
  mongodbUri: shared.mongodbUri,
  ...shared.kafka,
  ...shared.rpcSecurity,
  sealingKeys: shared.sealingKeys,
  allowedHosts: allowedHosts(
    'TOLLGATE_WEBHOOK_ALLOWED_HOSTS',
    'Hosts that webhooks of any account may reach though their address is private.',
  ),
  endpointsMax: integer('TOLLGATE_WEBHOOK_ENDPOINTS_MAX', {
    default: 20,
    min: 1,
    max: 1_000,
    description: 'How many endpoints one account may have.',
  }),
  attemptTimeoutMs: integer('TOLLGATE_WEBHOOK_ATTEMPT_TIMEOUT_MS', {
    default: 15_000,
    min: 100,
    max: 60_000,
    description: 'How long a receiver may take to answer, from the dial to the head of its answer.',
  }),
  attemptsAtOnceMax: integer('TOLLGATE_WEBHOOK_ATTEMPTS_MAX', {
    default: 256,
    min: 2,
    max: 10_000,
    description:
      'How many deliveries run together: an account gets as many as are free, failing ones half.',
  }),
  attemptsAtOncePerEndpointMax: integer('TOLLGATE_WEBHOOK_ATTEMPTS_PER_ENDPOINT_MAX', {
    default: 4,
    min: 1,
    max: 100,
    description: 'How many deliveries to one endpoint run together.',
  }),
  pollIntervalMs: integer('TOLLGATE_WEBHOOK_POLL_INTERVAL_MS', {
    default: 500,
    min: 10,
    max: 60_000,
    description: 'How often deliveries that became due are looked for.',
  }),
  retryAfterSecondsMax: integer('TOLLGATE_WEBHOOK_RETRY_AFTER_MAX_SECONDS', {
    default: 86_400,
    min: 1,
    max: 604_800,
    description:
      'The longest Retry-After of a receiver that is honoured; longer ones count as this.',
  }),
  disableAfterDays: integer('TOLLGATE_WEBHOOK_DISABLE_AFTER_DAYS', {
    default: 5,
    min: 1,
    max: 30,
    description: 'After how many days of nothing but failures an endpoint is disabled.',
  }),
  pendingMax: integer('TOLLGATE_WEBHOOK_PENDING_MAX', {
    default: 10_000,
    min: 100,
    max: 1_000_000,
    description: 'How many deliveries may wait for one endpoint before it is disabled.',
  }),
  testsPendingMax: integer('TOLLGATE_WEBHOOK_TESTS_PENDING_MAX', {
    default: 10,
    min: 1,
    max: 1_000,
    description: 'How many test deliveries may wait for one endpoint.',
  }),
  deliveryRetentionDays: integer('TOLLGATE_WEBHOOK_DELIVERY_RETENTION_DAYS', {
    default: 30,
    min: 8,
    max: 365,
    description:
      'How long finished deliveries are kept and listed; longer than the bus repeats events.',
  }),
  denialWindows: integer('TOLLGATE_WEBHOOK_DENIAL_WINDOWS', {
    default: 3,
    min: 1,
    max: 60,
    description:
      'In how many 10 s windows a key must find no room in a limit for that to be called sustained.',
  }),
  denialQuietSeconds: integer('TOLLGATE_WEBHOOK_DENIAL_QUIET_SECONDS', {
    default: 3_600,
    min: 60,
    max: 86_400,
    description: 'How long rate_limit.sustained stays silent for a key after it was sent.',
  }),
  leaderTtlMs: integer('TOLLGATE_WEBHOOK_LEADER_TTL_MS', {
    default: 15_000,
    min: 1_000,
    max: LEADER_TTL_MS_MAX,
    description: 'How long a silent leader of the deliveries keeps its lease.',
  }),
});

export type WebhookConfig = ConfigOf<typeof webhookConfigSchema>;
