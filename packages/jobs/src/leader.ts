import { type Clock, createId, delay, type Logger, type Timer } from '@tollgate/core';

/** Who leads a group of replicas, as the store shows it. */
export interface JobLeaseRow {
  /** The replica that leads; empty when it left. */
  readonly replica: string;
  /** Grows with every change of leader. */
  readonly fence: bigint;
  /** Grows while the leader lives. */
  readonly beat: bigint;
  /**
   * How long the leader may be silent, by its own setting, milliseconds. Where a version led that knows
   * no such time: undefined, or that of the leader before it.
   */
  readonly ttlMs: number | undefined;
}

/**
 * Where the replicas of a service agree on who leads: one row for each group. It decides nothing
 * and compares no clocks; its writes are durable before they answer.
 */
export interface JobLeaseStore {
  /** Adds one to the beat of the row and returns it; undefined when the replica has it not. */
  beat(group: string, replica: string): Promise<JobLeaseRow | undefined>;
  /** Undefined while nobody ever led. */
  read(group: string): Promise<JobLeaseRow | undefined>;
  /**
   * Writes the row in the place of what was `seen`; false when it is no longer as it was seen, or
   * exists although it was not.
   */
  take(group: string, next: JobLeaseRow, seen: JobLeaseRow | undefined): Promise<boolean>;
  /** Leaves the row without a replica, when it is still this replica's under this fence. */
  release(group: string, replica: string, fence: bigint): Promise<void>;
}

/** How replicas elect the one that leads. */
export interface LeaderOptions {
  readonly store: JobLeaseStore;
  /** Whose leader it is, for example `billing-jobs`; the same in every replica. */
  readonly group: string;
  /** How long a leader may be silent before another one follows, milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The time in which this replica leads. */
export interface LeaderTerm {
  /** Grows with every change of leader: a write that carries it can refuse leaders of the past. */
  readonly fence: bigint;
  /** Aborts before another replica can lead. */
  readonly signal: AbortSignal;
}

/** The work of a leader, until the signal of its term aborts. */
export type LeaderWork = (term: LeaderTerm) => Promise<void>;

export interface Leader {
  start(work: LeaderWork): void;
  /** Ends the work, waits for it, and lets another replica lead. */
  stop(): Promise<void>;
}

/**
 * Looks per ttl: one may fail; after two in a row the work ends half a look before the next
 * (the margin of `expireAt`).
 */
export const LOOKS_PER_TTL = 3;

/** The longest `ttlMs` that a setting may give a leader. */
export const LEADER_TTL_MS_MAX = 300_000;

interface RunningTerm {
  readonly fence: bigint;
  readonly controller: AbortController;
  /** Resolves when the work has ended, after the signal or by itself. */
  readonly ended: Promise<void>;
  expiry: Timer;
}

interface Sighting {
  readonly row: JobLeaseRow;
  /** When this replica first saw the row like this, monotonic milliseconds. */
  readonly sinceMs: number;
}

/**
 * Elects one of the replicas, which does the work as a whole until its term ends. A leader proves
 * that it lives by a number that grows in the store; another one follows when it has seen the
 * number stand still, by its own clock, for its ttl or that of the leader, whichever is longer. So
 * clocks of different machines are never compared.
 *
 *   free ──take──▶ held ──expiry or stop──▶ aborted ──work ended──▶ released
 */
export function createLeader({ store, group, ttlMs, clock, logger }: LeaderOptions): Leader {
  const replica = createId('replica');
  const stopping = new AbortController();
  let sighting: Sighting | undefined;
  let term: RunningTerm | undefined;
  let running: Promise<void> | undefined;

  /** A row that has not changed keeps the time of its first sight. */
  const note = (row: JobLeaseRow | undefined): void => {
    if (row === undefined) sighting = undefined;
    else if (!isSame(row, sighting?.row)) sighting = { row, sinceMs: clock.monotonicMs() };
  };

  const isFree = (): boolean => {
    if (sighting === undefined || sighting.row.replica === '') return true;
    // The answer to an earlier take or release was lost: nobody works.
    if (sighting.row.replica === replica) return true;
    // The leader looks as often as its own setting says, which may be longer than this replica's.
    const silentMsMax = Math.max(ttlMs, sighting.row.ttlMs ?? 0);
    return clock.monotonicMs() - sighting.sinceMs >= silentMsMax;
  };

  const end = async (ending: RunningTerm): Promise<void> => {
    ending.controller.abort();
    ending.expiry.cancel();
    await ending.ended;
    if (term === ending) term = undefined;
    await store.release(group, replica, ending.fence).catch(() => {});
  };

  /** Aborts the work while the lease is provably still ours. */
  const expireAt = (controller: AbortController, provenUntilMs: number): Timer => {
    const margin = ttlMs / (2 * LOOKS_PER_TTL);
    const leftMs = Math.max(0, provenUntilMs - margin - clock.monotonicMs());
    return clock.schedule(leftMs, () => controller.abort());
  };

  /**
   * A fence is the time, or the next number where that is more: a store that lost its rows or was
   * restored does not go back to numbers that documents have seen.
   */
  const nextRow = (seen: JobLeaseRow | undefined): JobLeaseRow => ({
    replica,
    fence: maxOf(BigInt(Math.floor(clock.now())), (seen?.fence ?? 0n) + 1n),
    beat: (seen?.beat ?? 0n) + 1n,
    ttlMs,
  });

  const begin = (work: LeaderWork, fence: bigint, provenUntilMs: number): void => {
    const controller = new AbortController();
    logger.debug({ group, fence: fence.toString() }, 'leads the background work');
    const ended = work({ fence, signal: controller.signal }).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      logger.error({ group, error }, 'background work failed and will be started again');
    });
    const begun = { fence, controller, ended, expiry: expireAt(controller, provenUntilMs) };
    term = begun;
    // Work that ends by itself leaves its lease; this replica or another leads from the next look.
    void ended.then(() => (stopping.signal.aborted ? undefined : end(begun)));
  };

  /** Goes on with what the store confirms, and ends what another replica has. */
  const confirm = (current: RunningTerm, provenUntilMs: number): void => {
    const row = sighting?.row;
    if (row?.replica === replica && row.fence === current.fence) {
      current.expiry.cancel();
      current.expiry = expireAt(current.controller, provenUntilMs);
    } else current.controller.abort();
  };

  const look = async (work: LeaderWork): Promise<void> => {
    const sentMs = clock.monotonicMs();
    // One command in either case: a leader beats, the others read.
    const own = sighting?.row.replica === replica ? await store.beat(group, replica) : undefined;
    note(own ?? (await store.read(group)));
    if (term !== undefined) confirm(term, sentMs + ttlMs);
    else if (isFree() && !stopping.signal.aborted) {
      const takenMs = clock.monotonicMs();
      const next = nextRow(sighting?.row);
      const taken = await store.take(group, next, sighting?.row);
      if (!taken) return;
      note(next);
      begin(work, next.fence, takenMs + ttlMs);
    }
  };

  const lookUntilStopped = async (work: LeaderWork): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look(work).catch((error: unknown) => {
        logger.debug({ group, error }, 'the store cannot say who leads now');
      });
      await delay(clock, ttlMs / LOOKS_PER_TTL, stopping.signal).catch(() => {});
    }
    if (term !== undefined) await end(term);
  };

  return {
    start(work) {
      running ??= lookUntilStopped(work);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Waits until this replica leads the group, does the work once, and leaves the lease to others. */
export async function runElected<T>(options: LeaderOptions, work: () => Promise<T>): Promise<T> {
  const leader = createLeader(options);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  leader.start(() => work().then(resolve, reject));
  try {
    return await promise;
  } finally {
    await leader.stop();
  }
}

function isSame(row: JobLeaseRow, seen: JobLeaseRow | undefined): boolean {
  return row.replica === seen?.replica && row.fence === seen.fence && row.beat === seen.beat;
}

function maxOf(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}
