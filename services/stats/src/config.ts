import { type ConfigOf, defineConfig, integer, shared } from '@tollgate/config';

/** Everything that stats reads from its environment. */
export const statsConfigSchema = defineConfig(
  {
    listen: shared.listen('stats'),
    billingAddress: shared.address('billing'),
    mongodbUri: shared.mongodbUri,
    ...shared.kafka,
    ...shared.rpcSecurity,
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
      description: 'How many stored figures a query of one account may read.',
    }),
    lingerMs: integer('TOLLGATE_STATS_LINGER_MS', {
      default: 1_000,
      min: 0,
      max: 5_000,
      description: 'How long ledger entries and denials may be collected to be added together.',
    }),
    batchEntriesMax: integer('TOLLGATE_STATS_GROUP_FACTS_MAX', {
      default: 500,
      min: 1,
      max: 5_000,
      description: 'How many collected ledger entries or denials are added without further wait.',
    }),
    eventBatchMax: integer('TOLLGATE_STATS_EVENT_BATCH_MAX', {
      default: 2_000,
      min: 1,
      max: 5_000,
      description: 'How many events of one partition are taken from the event bus at once.',
    }),
    cachedSequencesMax: integer('TOLLGATE_STATS_CACHED_SEQUENCES_MAX', {
      default: 50_000,
      min: 1,
      max: 1_000_000,
      description: 'Of how many accounts, and of how many figures, the last entry is remembered.',
    }),
  },
  ({ batchEntriesMax, eventBatchMax }) =>
    batchEntriesMax > eventBatchMax
      ? ['TOLLGATE_STATS_GROUP_FACTS_MAX may be at most TOLLGATE_STATS_EVENT_BATCH_MAX']
      : [],
);

export type StatsConfig = ConfigOf<typeof statsConfigSchema>;
