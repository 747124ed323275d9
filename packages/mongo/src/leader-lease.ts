import { type Clock, delay, type Logger } from '@tollgate/core';
import { isDuplicateKey } from './failures';
import type { MongoStore } from './store';

/** A job that must run once among the replicas of a service. */
export interface LeaderLeaseOptions {
  readonly store: MongoStore;
  /** What is led, for example `billing-sweeper`. */
  readonly name: string;
  /** This replica. */
  readonly holder: string;
  /** How long a silent leader keeps the lease, milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Leads while it can prove it. `fence` grows with every change of leader: a write that carries it
 * can refuse a leader of the past. The signal aborts before the lease can belong to another.
 */
export interface LeaderLease {
  start(lead: (fence: bigint, signal: AbortSignal) => Promise<void>): void;
  isLeader(): boolean;
  /** Ends leading, waits for the job and gives the lease back. */
  stop(): Promise<void>;
}

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly fence: bigint;
  readonly expiresAtMs: bigint;
}

/** Renewals per ttl: two may be lost before the lease is. */
const RENEWALS_PER_TTL = 3;

/** Creates the contender; nothing happens until `start`. */
export function createLeaderLease(options: LeaderLeaseOptions): LeaderLease {
  const { clock, logger, name, holder, ttlMs } = options;
  const leases = () => options.store.connection.collection<LeaseDocument>('leader_leases');
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let leading = false;

  /** Takes or renews the lease; answers the fence, or undefined while another holds it. */
  const take = async (renewFence: bigint | undefined): Promise<bigint | undefined> => {
    const nowMs = BigInt(Math.round(clock.now()));
    const expiresAtMs = nowMs + BigInt(ttlMs);
    if (renewFence !== undefined) {
      const renewed = await leases().updateOne(
        { _id: name, holder, fence: renewFence },
        { $set: { expiresAtMs } },
      );
      return renewed.matchedCount === 1 ? renewFence : undefined;
    }
    try {
      const taken = await leases().findOneAndUpdate(
        { _id: name, expiresAtMs: { $lt: nowMs } },
        { $set: { holder, expiresAtMs }, $inc: { fence: 1n } },
        { upsert: true, returnDocument: 'after' },
      );
      return taken === null ? undefined : BigInt(taken.fence);
    } catch (error) {
      // The upsert met a lease that another holds and that has not expired.
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  /** Leads until renewal fails in time or the contender stops. */
  const leadOnce = async (
    fence: bigint,
    takenAtMs: number,
    lead: (fence: bigint, signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const term = new AbortController();
    const signal = AbortSignal.any([term.signal, stopping.signal]);
    leading = true;
    logger.info({ lease: name, fence: fence.toString() }, 'leading');
    const job = lead(fence, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) logger.error({ lease: name, error }, 'the leader job failed');
      })
      .finally(() => term.abort());
    let provenUntilMs = takenAtMs + ttlMs;
    while (!signal.aborted) {
      await delay(clock, ttlMs / RENEWALS_PER_TTL, signal).catch(() => {});
      if (signal.aborted) break;
      const sentAtMs = clock.monotonicMs();
      const renewed = await take(fence).catch(() => 'unknown' as const);
      if (renewed === fence) provenUntilMs = sentAtMs + ttlMs;
      else if (renewed === undefined) term.abort();
      // One more silent third would pass the expiry: stop while the lease is still ours.
      if (clock.monotonicMs() + ttlMs / RENEWALS_PER_TTL >= provenUntilMs) term.abort();
    }
    leading = false;
    await job;
    logger.info({ lease: name, fence: fence.toString() }, 'no longer leading');
    await leases()
      .updateOne({ _id: name, holder, fence }, { $set: { expiresAtMs: 0n } })
      .catch(() => {});
  };

  const contend = async (
    lead: (fence: bigint, signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    while (!stopping.signal.aborted) {
      const takenAtMs = clock.monotonicMs();
      const fence = await take(undefined).catch((error: unknown) => {
        logger.debug({ lease: name, error }, 'cannot contend now');
        return undefined;
      });
      if (fence !== undefined) await leadOnce(fence, takenAtMs, lead);
      await delay(clock, ttlMs / RENEWALS_PER_TTL, stopping.signal).catch(() => {});
    }
  };

  return {
    start(lead) {
      running ??= contend(lead);
    },
    isLeader: () => leading,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
