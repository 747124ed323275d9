import { type Environment, parseConfig } from '@tollgate/config';
import { toAppError } from '@tollgate/core';
import type { TopicMigration } from '@tollgate/events';
import { EXIT, type RunnableHost } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import { allInOneConfigSchema, storeConfigSchema } from '../../config';
import { isGiven } from '../../start/embedded-environment';
import { selectTargets } from '../../start/targets';
import { migrateConfiguredTopics } from '../../start/topics-module';
import { type CommandOutcome, toOutcome } from '../outcome';
import { createCommandHost } from './command-host';

/**
 * Applies what the store lacks of every service's schema, and creates the topics that are missing
 * where brokers are named. A service would do both at its start too: this is for schemas whose indexes
 * take longer to build than a start may take.
 */
export async function migrateStores(
  { json }: { readonly json: boolean },
  environment: Environment,
): Promise<CommandOutcome> {
  if (!isGiven(environment, 'MONGODB_URI')) {
    throw new Error('MONGODB_URI must name the document store; an embedded one needs no command');
  }
  const { mongodbUri: uri } = parseConfig(storeConfigSchema, environment);
  const host = createCommandHost('migrate', environment);
  const { logger } = host;
  const store = openMongo({ uri, appName: 'tollgate-migrate', logger });
  const applied: Record<string, readonly string[]> = {};
  try {
    await store.connect();
    for (const target of selectTargets(['all'])) {
      if (!target.engines.includes('mongodb')) continue;
      const migrations = target.load().migrations(environment);
      applied[target.name] = await runMigrations(store, target.name, migrations, logger);
    }
  } finally {
    await store.close();
  }
  const topics = await makeTopics(environment, host);
  const lines = Object.entries(applied).map(
    ([service, steps]) => `${service}: ${steps.join(', ') || 'nothing to do'}`,
  );
  if (topics !== undefined) lines.push(`topics: ${describeTopics(topics)}`);
  return toOutcome(EXIT.clean, { applied, topics }, { json, text: lines.join('\n') });
}

/** What was done about the topics, or why they could not be looked at. */
type TopicsOutcome = Pick<TopicMigration, 'created'> | { readonly unknown: string };

/** Nothing waits for topics: with the brokers away every service makes them when they are back. */
async function makeTopics(
  environment: Environment,
  host: RunnableHost,
): Promise<TopicsOutcome | undefined> {
  if (!isGiven(environment, 'KAFKA_BROKERS')) return undefined;
  const config = parseConfig(allInOneConfigSchema, environment);
  try {
    const { created } = await migrateConfiguredTopics(config, host);
    return { created };
  } catch (error) {
    return { unknown: toAppError(error).message };
  }
}

function describeTopics(topics: TopicsOutcome): string {
  if ('created' in topics) return topics.created.join(', ') || 'nothing to do';
  return `not looked at (${topics.unknown}); services make them when they start`;
}
