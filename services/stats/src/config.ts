import { type ConfigOf, defineConfig, integer, shared } from '@tollgate/config';

/** Everything that stats reads from its environment. */
export const statsConfigSchema = defineConfig({
  listen: shared.listen('stats'),
  billingAddress: shared.address('billing'),
  mongodbUri: shared.mongodbUri,
  kafkaBrokers: shared.kafkaBrokers,
  serviceSecret: shared.serviceSecret,
  insecureRpc: shared.insecureRpc,
  tlsCertFile: shared.tlsCertFile,
  tlsKeyFile: shared.tlsKeyFile,
  tlsCaFile: shared.tlsCaFile,
  minuteRetentionDays: integer('TOLLGATE_STATS_MINUTE_RETENTION_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    description: 'How many days the figures by minute are kept; hours and days stay longer.',
  }),
  hourRetentionDays: integer('TOLLGATE_STATS_HOUR_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 3650,
    description: 'How many days the figures by hour are kept; days are kept for ever.',
  }),
  resultsMax: integer('TOLLGATE_STATS_RESULTS_MAX', {
    default: 10_000,
    min: 100,
    max: 1_000_000,
    description: 'How many rows one query may answer.',
  }),
  documentsMax: integer('TOLLGATE_STATS_DOCUMENTS_MAX', {
    default: 200_000,
    min: 1_000,
    max: 10_000_000,
    description: 'How many stored figures one query may read.',
  }),
});

export type StatsConfig = ConfigOf<typeof statsConfigSchema>;
