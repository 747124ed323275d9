import { type Clock, createId, delay, hashText, type Logger, type Timer } from '@tollgate/core';
import type { JobLeaseRow, JobLeaseStore } from './job-lease-store';

/** Background work that is divided among the replicas of a service. */
export interface ShardLeasesOptions {
  readonly store: JobLeaseStore;
  /** The work that is divided, for example `billing-sweeper`; the same in every replica. */
  readonly group: string;
  /** Parts that it is divided into; the same in every replica. */
  readonly shards: number;
  /** This replica. */
  readonly replica: string;
  /** How long a replica may be silent before others take its shards, milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One shard as the replica sees it that works on it. */
export interface ShardTerm {
  /** From 0. */
  readonly shard: number;
  /** Grows with every change of replica: a write that carries it can refuse replicas of the past. */
  readonly fence: bigint;
  /** Aborts before the shard can belong to another replica. */
  readonly signal: AbortSignal;
}

/** Work on one shard, until the signal of its term aborts. */
export type ShardWork = (term: ShardTerm) => Promise<void>;

export interface ShardLeases {
  start(work: ShardWork): void;
  /** The shards that this replica works on now. */
  held(): readonly number[];
  /** Ends all work, waits for it, and leaves the shards to the others. */
  stop(): Promise<void>;
}

/** Polls per ttl: two in a row may fail before the lease expires. */
const LOOKS_PER_TTL = 3;
/** A replica that was silent for so many ttls is forgotten. */
const FORGOTTEN_TTLS = 10;

interface RunningTerm {
  readonly fence: bigint;
  readonly controller: AbortController;
  /** Resolves when the work has ended, after the signal or by itself. */
  readonly ended: Promise<void>;
  expiry: Timer;
}

interface TakenShard {
  readonly shard: number;
  readonly fence: bigint;
  readonly provenUntilMs: number;
}

interface Sighting {
  readonly row: JobLeaseRow;
  /** When this replica first saw the row like this, monotonic milliseconds. */
  readonly sinceMs: number;
}

/**
 * Divides shards evenly among the replicas that live. A replica proves that it lives by a number
 * that grows in the store; the others take its shards when they have seen the number stand still
 * for a ttl of their own clock. So clocks of different machines are never compared.
 *
 *   free ──take──▶ held ──expiry or stop──▶ aborted ──work ended──▶ released
 */
export function createShardLeases(options: ShardLeasesOptions): ShardLeases {
  const { store, group, replica, ttlMs, clock, logger } = options;
  const stopping = new AbortController();
  const sightings = new Map<string, Sighting>();
  const terms = new Map<number, RunningTerm>();
  let running: Promise<void> | undefined;

  /** Replaces what was seen; a row that has not changed keeps the time of its first sight. */
  const note = (rows: readonly JobLeaseRow[], nowMs: number): void => {
    const before = new Map(sightings);
    sightings.clear();
    for (const row of rows) {
      const known = before.get(row.id);
      const same = known?.row.beat === row.beat && known.row.fence === row.fence;
      sightings.set(
        row.id,
        same && known.row.replica === row.replica ? known : seenNow(row, nowMs),
      );
    }
  };

  const isSilent = ({ row, sinceMs }: Sighting, nowMs: number, ttls = 1): boolean =>
    row.replica === '' || nowMs - sinceMs >= ttlMs * ttls;

  /** How many shards this replica may have now, so that no living one has to do without. */
  const shareOf = (nowMs: number): number => {
    const heldBy = new Map([[replica, terms.size]]);
    for (const sighting of sightings.values()) {
      const { row } = sighting;
      if (isSilent(sighting, nowMs) || row.replica === replica) continue;
      heldBy.set(row.replica, (heldBy.get(row.replica) ?? 0) + (isMember(row) ? 0 : 1));
    }
    const least = Math.floor(options.shards / heldBy.size);
    const othersWait = [...heldBy].some(([other, held]) => other !== replica && held < least);
    return othersWait ? least : Math.ceil(options.shards / heldBy.size);
  };

  const isFree = (shard: number): boolean => {
    const sighting = sightings.get(shardId(shard));
    if (terms.has(shard)) return false;
    if (sighting === undefined || isSilent(sighting, clock.monotonicMs())) return true;
    // The answer to an earlier take or release was lost: nobody works on it.
    return sighting.row.replica === replica;
  };

  const end = async (shard: number, term: RunningTerm): Promise<void> => {
    term.controller.abort();
    term.expiry.cancel();
    await term.ended;
    if (terms.get(shard) === term) terms.delete(shard);
    await store.release(group, shardId(shard), replica, term.fence).catch(() => {});
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
  const nextRow = (id: string, seen: JobLeaseRow | undefined): JobLeaseRow => ({
    ...{ id, replica },
    fence: laterOf(BigInt(Math.floor(clock.now())), (seen?.fence ?? 0n) + 1n),
    beat: (seen?.beat ?? 0n) + 1n,
  });

  const begin = (work: ShardWork, { shard, fence, provenUntilMs }: TakenShard): void => {
    const controller = new AbortController();
    logger.info({ group, shard, fence: fence.toString() }, 'took over a shard of background work');
    const ended = work({ shard, fence, signal: controller.signal }).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      logger.error({ group, shard, error }, 'background work failed and will be started again');
    });
    const term = { fence, controller, ended, expiry: expireAt(controller, provenUntilMs) };
    terms.set(shard, term);
    // Work that ends by itself leaves its shard; this replica or another takes it at the next look.
    void ended.then(() => (stopping.signal.aborted ? undefined : end(shard, term)));
  };

  /** Goes on with what the store confirms, and ends what it gave to others. */
  const confirm = (provenUntilMs: number): void => {
    for (const [shard, term] of terms) {
      const row = sightings.get(shardId(shard))?.row;
      if (row?.replica === replica && row.fence === term.fence) {
        term.expiry.cancel();
        term.expiry = expireAt(term.controller, provenUntilMs);
      } else term.controller.abort();
    }
  };

  const takeFree = async (work: ShardWork, share: number): Promise<void> => {
    for (const shard of ownOrder(replica, options.shards)) {
      if (terms.size >= share || stopping.signal.aborted) return;
      if (!isFree(shard)) continue;
      const sentAtMs = clock.monotonicMs();
      const seen = sightings.get(shardId(shard))?.row;
      const next = nextRow(shardId(shard), seen);
      if (!(await store.take(group, next, seen))) continue;
      begin(work, { shard, fence: next.fence, provenUntilMs: sentAtMs + ttlMs });
    }
  };

  /** Replicas that were silent for long are gone: their names would pile up. */
  const forgetTheGone = async (nowMs: number): Promise<void> => {
    const gone = [...sightings.values()].filter(
      (sighting) => isMember(sighting.row) && isSilent(sighting, nowMs, FORGOTTEN_TTLS),
    );
    const rows = gone.map(({ row }) => row);
    if (rows.length > 0) await store.remove(group, rows);
  };

  const look = async (work: ShardWork): Promise<void> => {
    const sentAtMs = clock.monotonicMs();
    await store.beat(group, replica);
    const rows = await store.read(group);
    const nowMs = clock.monotonicMs();
    note(rows, nowMs);
    confirm(sentAtMs + ttlMs);
    if (!sightings.has(memberId(replica))) {
      await store.take(group, nextRow(memberId(replica), undefined), undefined);
    }
    const share = shareOf(nowMs);
    const surplus = [...terms].slice(share);
    await Promise.all(surplus.map(([shard, term]) => end(shard, term)));
    await takeFree(work, share);
    await forgetTheGone(nowMs);
  };

  const lookUntilStopped = async (work: ShardWork): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look(work).catch((error: unknown) => {
        logger.debug({ group, error }, 'the store cannot say who does what now');
      });
      await delay(clock, ttlMs / LOOKS_PER_TTL, stopping.signal).catch(() => {});
    }
    await Promise.all([...terms].map(([shard, term]) => end(shard, term)));
    const presence = sightings.get(memberId(replica));
    if (presence !== undefined) {
      await store.release(group, presence.row.id, replica, presence.row.fence).catch(() => {});
    }
  };

  return {
    start(work) {
      running ??= lookUntilStopped(work);
    },
    held: () => [...terms.keys()],
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Elects one of the replicas, which does the work as a whole until its term ends. */
export function createLeader(options: Omit<ShardLeasesOptions, 'shards' | 'replica'>): ShardLeases {
  return createShardLeases({ ...options, shards: 1, replica: createId('replica') });
}

function laterOf(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}

function seenNow(row: JobLeaseRow, nowMs: number): Sighting {
  return { row, sinceMs: nowMs };
}

function shardId(shard: number): string {
  return `shard ${shard}`;
}

function memberId(replica: string): string {
  return `member ${replica}`;
}

function isMember({ id }: JobLeaseRow): boolean {
  return id.startsWith('member ');
}

/** Every shard once, each replica from a place of its own, so that two seldom want the same. */
function ownOrder(replica: string, shards: number): readonly number[] {
  const first = shardOf(replica, shards);
  return Array.from({ length: shards }, (_, index) => (first + index) % shards);
}

/** The shard of a key, from 0: the same in every process and version. */
export function shardOf(key: string, shards: number): number {
  return hashText(key) % shards;
}
