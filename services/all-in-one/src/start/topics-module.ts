import { backoffDelayMs, delay } from '@tollgate/core';
import { migrateTopics, type TopicMigration, toKafkaEndpoint } from '@tollgate/events';
import { READY, type ServiceHost, type ServiceModule } from '@tollgate/lifecycle';
import type { AllInOneConfig } from '../config';

export const TOPICS_MODULE = 'event-topics';

/** Creates the topics that are missing, as they are configured; rejects when no broker answers. */
export function migrateConfiguredTopics(
  config: AllInOneConfig,
  { clock, logger }: ServiceHost,
): Promise<TopicMigration> {
  return migrateTopics({
    ...toKafkaEndpoint(config),
    clientId: 'tollgate-topics',
    partitions: config.kafkaPartitions,
    replicationFactor: config.kafkaReplication,
    clock,
    logger,
  });
}

export interface TopicsModuleOptions {
  readonly host: ServiceHost;
  /** Creates the topics that are missing; rejects when no broker answers. */
  readonly migrate: () => Promise<unknown>;
}

const BACKOFF = { initialMs: 500, maxMs: 15_000 } as const;
/** Long enough for a broker that answers; a start does not depend on one that does not. */
const FIRST_WAIT_MS = 10_000;

/**
 * Sees to it that the event topics exist. With the brokers away the process starts nevertheless,
 * because requests go on without them, and the topics are made when they return.
 */
export function createTopicsModule({ host, migrate }: TopicsModuleOptions): ServiceModule {
  const { clock, logger } = host;
  const stopping = new AbortController();

  async function migrateUntilDone(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        await migrate();
        return;
      } catch (error) {
        logger.warn({ error, attempt }, 'the event topics could not be checked; trying again');
      }
      await delay(clock, backoffDelayMs(BACKOFF, attempt), stopping.signal).catch(() => {});
    }
  }

  return {
    name: TOPICS_MODULE,
    async start() {
      const waited = new AbortController();
      const migrating = migrateUntilDone().finally(() => waited.abort());
      const limit = delay(clock, FIRST_WAIT_MS, waited.signal).catch(() => {});
      await Promise.race([migrating, limit]);
    },
    async stop() {
      stopping.abort();
    },
    readiness: () => READY,
  };
}
