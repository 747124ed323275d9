import { type Clock, type Logger, type Timer, waitAtMost } from '@tollgate/core';
import type { Channel } from '../domain/channel';
import type { ChannelStore, ModelStore } from '../domain/ports';
import { buildRouteTable, type RouteTable, withHealth } from '../domain/route-table';
import { createLaterPrices } from './later-prices';
import { observedIn } from './route-log';

export interface RouteTableFeedOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly openCredential: (channel: Channel) => string;
  readonly revision: () => bigint;
  /** What came after the revision, `reset` when that is not known; undefined when nothing did. */
  readonly changesSince: (
    revision: bigint,
  ) => { readonly changes: readonly string[]; readonly reset: boolean } | undefined;
  /** Tells every replica, this one too, of a change. */
  readonly announce: (change: string) => Promise<unknown>;
  /** Hears of changes at other replicas now. */
  readonly look: () => Promise<void>;
  readonly currency: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The newest route table of this replica, and everyone who waits for the next. */
export interface RouteTableFeed {
  /** Reads the store until the table is as new as the newest revision; one read serves all who wait. */
  refresh(): Promise<void>;
  /** Throws before the first refresh. */
  current(): RouteTable;
  /**
   * The table with every change that has ended, at other replicas too: for people, who read back what
   * they wrote. The present one when the store fails or is silent for half a second.
   */
  newest(): Promise<RouteTable>;
  isReady(): boolean;
  subscribe(listener: (table: RouteTable) => void): () => void;
  stop(): void;
}

/**
 * With the first entry of the log after this time the whole table is read, though the entry tells
 * of health alone: a writer may have died between its change and its entry.
 */
const WHOLE_FOR_MS = 60_000;

const RETRY_MS = 500;
/** A store that is silent must not make a list wait that is in memory. */
const NEWEST_WAIT_MS = 500;

/** Rebuilds after every change of the log; a failed read is tried again, the old table stays. */
export function createRouteTableFeed(options: RouteTableFeedOptions): RouteTableFeed {
  const { channels, models, revision, currency, clock, logger } = options;
  const listeners = new Set<(table: RouteTable) => void>();
  const laterPrices = createLaterPrices(options);
  let table: RouteTable | undefined;
  /** From then on the table is read as a whole. */
  let wholeFromAtMs = 0;
  let running: Promise<void> | undefined;
  let again = false;
  let retry: Timer | undefined;
  let stopped = false;
  let simulating = '';

  // Said where it is known what serves: a simulator that merely runs answers nobody.
  const noteSimulation = ({ channels: serving }: RouteTable): void => {
    const names = serving
      .filter(({ type, models: served }) => type === 'simulator' && served.length > 0)
      .map(({ name }) => name);
    const before = simulating;
    simulating = names.join('\n');
    if (names.length === 0 || simulating === before) return;
    logger.info(
      { channels: names },
      'the simulator answers in place of a vendor; nothing it says is real',
    );
  };

  const openCredential = (channel: Channel): string | undefined => {
    try {
      return options.openCredential(channel);
    } catch (error) {
      logger.error(
        { channelId: channel.id, error },
        'a channel is left out: its credential cannot be opened; check TOLLGATE_SEALING_KEYS',
      );
      return undefined;
    }
  };

  const readWhole = async (at: bigint): Promise<RouteTable> => {
    const [allChannels, allModels] = await Promise.all([channels.listAll(), models.listAll()]);
    const atMs = clock.now();
    wholeFromAtMs = atMs + WHOLE_FOR_MS;
    laterPrices.note(allModels, atMs);
    const read = { channels: allChannels, models: allModels };
    return buildRouteTable({ ...read, revision: at, currency, atMs, openCredential });
  };

  /** The newest table: with the health that changed, and as a whole when more did. */
  const readNewest = async (at: bigint): Promise<RouteTable> => {
    if (table === undefined || clock.now() >= wholeFromAtMs) return readWhole(at);
    const since = options.changesSince(table.revision);
    if (since === undefined) return table;
    const observed = since.reset ? undefined : observedIn(since.changes);
    if (observed === undefined) return readWhole(at);
    return withHealth(table, await channels.listHealth(observed), at);
  };

  const rebuild = async (): Promise<void> => {
    do {
      again = false;
      // Read first: a change during the reads raises the revision and is read in the next round.
      const newest = await readNewest(revision());
      if (newest === table) continue;
      table = newest;
      noteSimulation(table);
      for (const listener of listeners) listener(table);
    } while (again);
  };

  const refresh = (): Promise<void> => {
    if (running !== undefined) {
      again = true;
      return running;
    }
    retry?.cancel();
    running = rebuild()
      .catch((error: unknown) => {
        logger.warn({ error }, 'route table cannot be rebuilt now; the last one stays in force');
        if (!stopped) retry = clock.schedule(RETRY_MS, () => void refresh().catch(() => {}));
        throw error;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const current = (): RouteTable => {
    if (table === undefined) throw new Error('the route table is not loaded yet');
    return table;
  };

  return {
    refresh,
    current,
    async newest() {
      const lookAndRead = async () => {
        await options.look();
        if (current().revision !== revision()) await refresh();
      };
      await waitAtMost(clock, NEWEST_WAIT_MS, lookAndRead());
      return current();
    },
    isReady: () => table !== undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    stop() {
      stopped = true;
      retry?.cancel();
      laterPrices.stop();
    },
  };
}
