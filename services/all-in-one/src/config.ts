import { type ConfigOf, defineConfig, integer, list, shared } from '@tollgate/config';
import { TARGET_NAMES } from './start/targets';

/** The settings of the process itself; each service adds its own. */
export const allInOneConfigSchema = defineConfig({
  targets: list('TARGET', {
    default: ['all'],
    itemPattern: new RegExp(`^(all|${TARGET_NAMES.join('|')})$`),
    itemMeaning: `all or of ${TARGET_NAMES.join(', ')}`,
    itemsMax: TARGET_NAMES.length,
    description: 'The services that run in this process.',
  }),
  dataDirectory: shared.dataDirectory,
  bind: shared.bind,
  httpPort: shared.httpPort,
  adminPort: shared.adminPort,
  ...shared.kafka,
  kafkaPartitions: integer('TOLLGATE_KAFKA_PARTITIONS', {
    default: 12,
    min: 1,
    max: 1_000,
    description: 'Partitions of topics that do not exist yet; existing ones stay as they are.',
  }),
  kafkaReplication: integer('TOLLGATE_KAFKA_REPLICATION', {
    default: 1,
    min: 1,
    max: 9,
    description: 'Copies of each message in topics that do not exist yet, at most the brokers.',
  }),
  ...shared.redis,
  initOperatorEmail: shared.initOperatorEmail,
  singleGateway: shared.singleGateway,
});

export type AllInOneConfig = ConfigOf<typeof allInOneConfigSchema>;

/** For a command that opens the store itself; `isGiven` tells whether there is one to open. */
export const storeConfigSchema = defineConfig({ mongodbUri: shared.mongodbUri });

/** What the doctor needs to tell which sealing keys may be taken out. */
export const sealingConfigSchema = defineConfig({ sealingKeys: shared.sealingKeys });

/** What the doctor compares with the currency of the stored amounts. */
export const currencyConfigSchema = defineConfig({ currency: shared.currency });
