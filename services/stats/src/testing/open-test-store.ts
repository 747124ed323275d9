import { silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createFakeClock, createTestMongo, settlePromises } from '@tollgate/testkit';
import type { FigureStore } from '../domain/ports';
import { createFigureStore } from '../storage/figure-store';
import { statsMigrations } from '../storage/migrations';

/** A document store of a test file's own. */
export interface TestStore {
  /** A store of figures in a database that nobody has used. */
  openDatabase(): Promise<{ readonly store: MongoStore; readonly figures: FigureStore }>;
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
      const store = openMongo({ uri, appName: 't', logger: silentLogger });
      await store.connect();
      const migrations = statsMigrations({ minuteRetentionDays: 7, hourRetentionDays: 400 });
      await runMigrations(store, 'stats', migrations, silentLogger);
      return { store, figures: createFigureStore(store) };
    },
    commands(names = DATA_COMMANDS) {
      const counts = server.commandCounts();
      return names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    },
    close: () => server.close(),
  };
}

/** How one store command goes: in full, or cut by a kill before, in the middle of or after it. */
export type Fate = 'done' | 'before' | 'halfway' | 'after';

/** One command's fate, and how many turns others get before it. */
export interface CommandFate {
  readonly fate: Fate;
  readonly turns: number;
}

/**
 * The store as a consumer finds it that is killed, or loses answers, at the commands that the
 * fates name. A bulk that is cut halfway has done every other statement, as an unordered one may.
 */
export function createFaultyFigures(
  figures: FigureStore,
  fates: readonly CommandFate[],
): FigureStore {
  const left = [...fates];

  async function meet<Result, Item>(
    items: readonly Item[],
    command: (some: readonly Item[]) => Promise<Result>,
  ): Promise<Result> {
    const { fate, turns } = left.shift() ?? { fate: 'done', turns: 0 };
    for (let turn = 0; turn < turns; turn += 1) await settlePromises();
    if (fate === 'before') throw killed();
    const some = fate === 'halfway' ? items.filter((_, index) => index % 2 === 0) : items;
    const result = await command(some);
    if (fate !== 'done') throw killed();
    return result;
  }

  return {
    ...figures,
    sequences: (ids) => meet(ids, figures.sequences),
    add: (increments) => meet(increments, figures.add),
    cursors: (ids) => meet(ids, figures.cursors),
    setCursors: (cursors) => meet(cursors, figures.setCursors),
  };
}

function killed(): Error {
  return new Error('killed here');
}
