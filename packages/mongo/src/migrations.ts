import { type Clock, createSystemClock, delay, type Logger } from '@tollgate/core';
import { createLeader } from '@tollgate/jobs';
import type { Connection } from 'mongoose';
import { documentsOf } from './documents';
import { withDatabaseFailures } from './failures';
import { createJobLeaseStore } from './job-lease-store';
import { requireNoOpenRestore } from './restore-mark';
import type { MongoStore } from './store';

/** One step of a service's schema. `up` must be safe to run twice: it may be killed in between. */
export interface Migration {
  /** Never changed once released, for example `0001-indexes`. */
  readonly name: string;
  up(connection: Connection): Promise<void>;
}

interface AppliedMigration {
  readonly _id: string;
}

const LEASE_TTL_MS = 6_000;
const WAIT_MS = 250;

/** A service's schema, and where it lies. */
interface Schema {
  readonly store: MongoStore;
  readonly service: string;
  readonly migrations: readonly Migration[];
  readonly logger: Logger;
}

/**
 * Applies what the store has not recorded yet, in order, and resolves when all of it is applied;
 * answers the names that this process applied. Of the replicas that start together one works, and
 * the others wait for it; if it dies, another goes on. An index on a large collection takes longer
 * than any other command, so the work has a connection without a time-out.
 */
export async function runMigrations(
  store: MongoStore,
  service: string,
  migrations: readonly Migration[],
  logger: Logger,
): Promise<readonly string[]> {
  await requireNoOpenRestore(store);
  const schema: Schema = { store, service, migrations, logger };
  if ((await missingSteps(schema)).length === 0) return [];
  const clock = createSystemClock();
  const applied: string[] = [];
  const outcome = Promise.withResolvers<void>();
  const leader = createLeader({
    store: createJobLeaseStore(store),
    group: `migrations-${service}`,
    ttlMs: LEASE_TTL_MS,
    clock,
    logger,
  });
  const waiting = new AbortController();
  leader.start(async () => {
    try {
      await applyMissing(schema, applied);
      outcome.resolve();
    } catch (error) {
      outcome.reject(error);
    }
  });
  untilApplied(schema, clock, waiting.signal).then(outcome.resolve, outcome.reject);
  try {
    await outcome.promise;
    return applied;
  } finally {
    waiting.abort();
    await leader.stop();
  }
}

async function missingSteps({ store, service, migrations }: Schema): Promise<readonly Migration[]> {
  const ids = migrations.map(({ name }) => `${service}:${name}`);
  const records = documentsOf<AppliedMigration>(store, 'migrations');
  const found = await records.list({ _id: { $in: ids } });
  const known = new Set(found.map(({ _id }) => _id));
  return migrations.filter(({ name }) => !known.has(`${service}:${name}`));
}

async function applyMissing(schema: Schema, applied: string[]): Promise<void> {
  const { store, service, logger } = schema;
  const patient = store.withoutTimeout();
  await patient.connect();
  try {
    const records = documentsOf<AppliedMigration>(patient, 'migrations');
    const missing = await missingSteps(schema);
    // In a new store each step takes no time, and has nothing to tell.
    const isNew = missing.length === schema.migrations.length;
    for (const migration of missing) {
      const id = `${service}:${migration.name}`;
      await withDatabaseFailures(() => migration.up(patient.connection));
      // A replica that was faster has recorded the same step: that is no failure.
      await records.insert({ _id: id });
      logger[isNew ? 'debug' : 'info']({ migration: id }, 'migration applied');
      applied.push(migration.name);
    }
  } finally {
    await patient.close();
  }
}

/** Waits for the replica that migrates, by looking at what it recorded. */
async function untilApplied(schema: Schema, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(clock, WAIT_MS, signal).catch(() => {});
    if (signal.aborted || (await missingSteps(schema)).length === 0) return;
    schema.logger.debug({ service: schema.service }, 'waiting for the migrations');
  }
}
