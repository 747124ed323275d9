import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, EXIT, hostConfigSchema } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import { isGiven } from '../start/embedded-environment';
import { selectTargets } from '../start/targets';
import type { CommandOutcome } from './audit';

/**
 * Applies what the store lacks of every service's schema. A service would do it at its start too:
 * this is for schemas whose indexes take longer to build than a start may take.
 */
export async function migrateStores(environment: Environment): Promise<CommandOutcome> {
  const uri = environment.MONGODB_URI;
  if (!isGiven(environment, 'MONGODB_URI') || uri === undefined) {
    throw new Error('MONGODB_URI must name the document store; an embedded one needs no command');
  }
  const { logger } = createHost('migrate', parseConfig(hostConfigSchema, environment));
  const store = openMongo({ uri, appName: 'tollgate-migrate', logger });
  const lines: string[] = [];
  try {
    await store.connect();
    for (const target of selectTargets(['all'])) {
      if (!target.engines.includes('mongodb')) continue;
      const migrations = target.load().migrations(environment);
      const applied = await runMigrations(store, target.name, migrations, logger);
      const done = applied.length === 0 ? 'nothing to do' : applied.join(', ');
      lines.push(`${target.name}: ${done}\n`);
    }
  } finally {
    await store.close();
  }
  return { exitCode: EXIT.clean, message: lines.join('') };
}
