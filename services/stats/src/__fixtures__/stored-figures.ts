import { join } from 'node:path';
import { silentLogger } from '@tollgate/core';
import { createEmbeddedMongo, IN_MEMORY } from '@tollgate/embedded-mongo';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { makeTemporaryDirectory } from '@tollgate/testkit';
import type { FigureStore } from '../domain/ports';
import { createFigureStore } from '../storage/figure-store';
import { statsMigrations } from '../storage/migrations';

/** A document store of a test file's own. */
export interface TestStore {
  /** A store of figures in a database that nobody has used. */
  openDatabase(): Promise<{ readonly store: MongoStore; readonly figures: FigureStore }>;
  /** Commands that read or wrote documents since the start. */
  commands(): number;
  close(): Promise<void>;
}

const DATA_COMMANDS = ['find', 'getMore', 'aggregate', 'count', 'insert', 'update', 'delete'];

export async function startTestStore(): Promise<TestStore> {
  const directory = await makeTemporaryDirectory('stats');
  const server = await createEmbeddedMongo({
    dataPath: IN_MEMORY,
    listen: { socketPath: join(directory.path, 'm.sock') },
  });
  let databases = 0;
  return {
    async openDatabase() {
      databases += 1;
      const uri = server.uriFor(`s${databases}`);
      const store = openMongo({ uri, appName: 't', logger: silentLogger });
      await store.connect();
      const migrations = statsMigrations({ minuteRetentionDays: 7, hourRetentionDays: 400 });
      await runMigrations(store, 'stats', migrations, silentLogger);
      return { store, figures: createFigureStore(store) };
    },
    commands() {
      const counts = server.commandCounts();
      return DATA_COMMANDS.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    },
    async close() {
      await server.close();
      await directory.remove();
    },
  };
}
