import type { Logger } from '@tollgate/core';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey, withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

/** One step of a service's schema. `up` must be safe to run twice: replicas may race. */
export interface Migration {
  /** Never changed once released, for example `0001-indexes`. */
  readonly name: string;
  up(connection: Connection): Promise<void>;
}

const INDEX_NOT_FOUND = 27;

interface AppliedMigration {
  readonly _id: string;
}

/** Applies what the store has not recorded yet, in order; answers the names it applied. */
export async function runMigrations(
  store: MongoStore,
  service: string,
  migrations: readonly Migration[],
  logger: Logger,
): Promise<readonly string[]> {
  const applied: string[] = [];
  const records = store.connection.collection<AppliedMigration>('migrations');
  for (const migration of migrations) {
    const id = `${service}:${migration.name}`;
    const known = await withDatabaseFailures(() => records.findOne({ _id: id }));
    if (known !== null) continue;
    await withDatabaseFailures(() => migration.up(store.connection));
    await recordMigration(() => records.insertOne({ _id: id }));
    logger.info({ migration: id }, 'migration applied');
    applied.push(migration.name);
  }
  return applied;
}

/** Drops the index of a collection; a replica that was faster has dropped it: that is no failure. */
export async function dropIndex(
  connection: Connection,
  collection: string,
  index: string,
): Promise<void> {
  try {
    await connection.collection(collection).dropIndex(index);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
  }
}

/** A replica that was faster has recorded the same step: that is no failure. */
async function recordMigration(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
