import {
  type Clock,
  createSystemClock,
  type Logger,
  silentLogger,
  type Timer,
} from '@tollgate/core';
import { DEFAULT_BOUNDS, type StoreBounds } from './bounds';
import { createCommandExecutor } from './commands/command-executor';
import { createCursorTable } from './commands/cursors';
import { type CommitQueue, createCommitQueue } from './storage/commit-queue';
import { deleteExpired, hasExpiry } from './storage/expiry';
import { openStore, type Store } from './storage/store';
import { type ListenAddress, listen } from './wire/listener';

/** How a store is made. */
export interface EmbeddedMongoOptions {
  /** The data file, made with its directory when absent; `:memory:` keeps nothing. */
  readonly dataPath: string;
  readonly listen: ListenAddress;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly bounds?: Partial<StoreBounds>;
}

/** A running store. */
export interface EmbeddedMongo {
  /** Connection string without a database, with `directConnection`. */
  readonly uri: string;
  /** Connection string of one database. */
  uriFor(database: string): string;
  /** Calls of each command of the closed list since the start, handshakes included. */
  commandCounts(): ReadonlyMap<string, number>;
  /** Deletes what TTL indexes let expire by now, and answers how many documents that were. */
  sweepExpired(): Promise<number>;
  /** Commits what is pending, ends all connections and closes the file. */
  close(): Promise<void>;
}

/** Opens the data file and listens; rejects when either is taken. */
export async function createEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const clock = options.clock ?? createSystemClock();
  const logger = options.logger ?? silentLogger;
  const bounds: StoreBounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const store = openStore(options.dataPath);
  const queue = createCommitQueue(store, logger);
  const counts = new Map<string, number>();
  const execute = createCommandExecutor({
    context: { store, cursors: createCursorTable(clock, bounds), clock, bounds },
    queue,
    logger,
    onCommand: (name) => counts.set(name, (counts.get(name) ?? 0) + 1),
  });
  const { connectionsMax, messageBytesMax } = bounds;
  const listener = await listen({
    address: options.listen,
    connectionsMax,
    messageBytesMax,
    execute,
    logger,
  }).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const sweeper = startSweeper({ store, queue, clock, logger, bounds });
  let closing: Promise<void> | undefined;
  const uriFor = (database: string) =>
    `mongodb://${listener.authority}/${database}?directConnection=true`;
  return {
    uri: uriFor(''),
    uriFor,
    commandCounts: () => new Map(counts),
    sweepExpired: sweeper.sweep,
    close() {
      closing ??= (async () => {
        sweeper.stop();
        queue.close();
        await listener.close();
        store.close();
      })();
      return closing;
    },
  };
}

interface SweeperOptions {
  readonly store: Store;
  readonly queue: CommitQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: StoreBounds;
}

/** Looks for expired documents at every interval; a failed look is logged and tried again. */
function startSweeper(options: SweeperOptions) {
  const { store, queue, clock, logger, bounds } = options;
  let timer: Timer | undefined;
  const sweepOnce = (): Promise<number> =>
    new Promise((resolve, reject) => {
      queue.write(
        () => deleteExpired(store, clock.now(), bounds.expirySweepDocumentsMax),
        (outcome) => (outcome.ok ? resolve(outcome.value) : reject(outcome.error)),
      );
    });
  // In bounded steps, so that a backlog does not hold up commands in between.
  const sweep = async (): Promise<number> => {
    let total = 0;
    let deleted = 0;
    do {
      deleted = hasExpiry(store) ? await sweepOnce() : 0;
      total += deleted;
    } while (deleted >= bounds.expirySweepDocumentsMax);
    return total;
  };
  const arm = () => {
    timer = clock.schedule(bounds.expirySweepIntervalMs, () => {
      sweep().catch((error: unknown) => logger.error({ error }, 'the expiry sweep failed'));
      arm();
    });
  };
  arm();
  return { sweep, stop: () => timer?.cancel() };
}
