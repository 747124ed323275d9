import type { Environment } from '@tollgate/config';
import { EXIT } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import { isGiven } from '../start/embedded-environment';
import { selectTargets } from '../start/targets';
import { createCommandHost } from './command-host';
import { type CommandOutcome, toOutcome } from './outcome';

/**
 * Applies what the store lacks of every service's schema. A service would do it at its start too:
 * this is for schemas whose indexes take longer to build than a start may take.
 */
export async function migrateStores(
  { json }: { readonly json: boolean },
  environment: Environment,
): Promise<CommandOutcome> {
  const uri = environment.MONGODB_URI;
  if (!isGiven(environment, 'MONGODB_URI') || uri === undefined) {
    throw new Error('MONGODB_URI must name the document store; an embedded one needs no command');
  }
  const { logger } = createCommandHost('migrate', environment);
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
  const lines = Object.entries(applied).map(
    ([service, steps]) => `${service}: ${steps.join(', ') || 'nothing to do'}`,
  );
  return toOutcome(EXIT.clean, { applied }, { json, text: lines.join('\n') });
}
