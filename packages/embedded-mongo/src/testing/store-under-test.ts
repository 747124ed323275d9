import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeTemporaryDirectory } from '@tollgate/testkit';
import mongoose from 'mongoose';
import type { EmbeddedMongoOptions } from '../embedded-mongo';
import { createEmbeddedMongo, type EmbeddedMongo } from '../index';

/** A store in a temporary directory with one real client. */
export interface StoreUnderTest {
  readonly store: EmbeddedMongo;
  readonly connection: mongoose.Connection;
  /** The driver's database, for commands and collections without mongoose. */
  readonly db: NonNullable<mongoose.Connection['db']>;
  readonly dataPath: string;
  stop(): Promise<void>;
}

const REPOSITORY = join(__dirname, '../../../..');

/**
 * Compiles what is stale of this package, so that a program is the code under test. One process does
 * so at a time: another would find its program half written.
 */
export function compile(): void {
  const command = ['packages/tooling/bootstrap.cjs', 'compile', 'packages/embedded-mongo'];
  execFileSync(process.execPath, command, { cwd: REPOSITORY, stdio: 'inherit' });
}

/** Connects mongoose the way the services do: majority concerns, no buffering. */
export async function connect(uri: string): Promise<mongoose.Connection> {
  const connection = mongoose.createConnection(uri, {
    bufferCommands: false,
    serverSelectionTimeoutMS: 5_000,
    writeConcern: { w: 'majority', j: true },
    readConcern: { level: 'majority' },
  });
  return connection.asPromise();
}

export function requireDb(connection: mongoose.Connection): StoreUnderTest['db'] {
  if (connection.db === undefined) throw new Error('the connection has no database');
  return connection.db;
}

export async function startStore(
  options: Partial<EmbeddedMongoOptions> = {},
): Promise<StoreUnderTest> {
  const directory = await makeTemporaryDirectory('store');
  const dataPath = join(directory.path, 'store.sqlite');
  const store = await createEmbeddedMongo({
    dataPath,
    listen: { socketPath: join(directory.path, 'store.sock') },
    ...options,
  });
  const connection = await connect(store.uriFor('test'));
  return {
    store,
    connection,
    db: requireDb(connection),
    dataPath,
    async stop() {
      await connection.close();
      await store.close();
      await directory.remove();
    },
  };
}
