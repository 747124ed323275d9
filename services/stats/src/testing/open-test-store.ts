import { silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createFakeClock, createTestMongo } from '@tollgate/testkit';
import type { DenialStore, FigureStore } from '../domain/ports';
import { createDenialStore } from '../storage/denial-store';
import { createFigureStore } from '../storage/figure-store';
import { statsMigrations } from '../storage/migrations';

/** A document store of a test file's own. */
export interface TestStore {
  /** The stores of a database that nobody has used. */
  openDatabase(): Promise<{
    readonly mongo: MongoStore;
    readonly figureStore: FigureStore;
    readonly denialStore: DenialStore;
  }>;
  /** Commands of these names since the start; those that read or write documents unless given. */
  commands(names?: readonly string[]): number;
  close(): Promise<void>;
}

const DATA_COMMANDS = ['find', 'getMore', 'aggregate', 'count', 'insert', 'update', 'delete'];

export async function openTestStore(): Promise<TestStore> {
  // Its time stands still: by the machine's, figures of the fixtures would have expired long ago.
  const server = await createTestMongo({ clock: createFakeClock() });
  let databases = 0;
  return {
    async openDatabase() {
      databases += 1;
      const uri = server.uriFor(`s${databases}`);
      const mongo = openMongo({ uri, appName: 't', logger: silentLogger });
      await mongo.connect();
      const migrations = statsMigrations({ minuteRetentionDays: 7, hourRetentionDays: 400 });
      await runMigrations(mongo, 'stats', migrations, silentLogger);
      return {
        mongo,
        figureStore: createFigureStore(mongo),
        denialStore: createDenialStore(mongo),
      };
    },
    commands(names = DATA_COMMANDS) {
      const counts = server.commandCounts();
      return names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    },
    close: () => server.close(),
  };
}
