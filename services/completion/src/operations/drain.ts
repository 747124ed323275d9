import { type Clock, delay, type Logger, waitAtMost } from '@tollgate/core';
import type { LeaseManager } from '../credit/lease-manager';
import type { UsageSpool } from '../spool/spool';
import type { UsagePublication } from '../usage/publish';
import type { ActiveRuns } from './active-runs';

/** The work that a stop has to bring to an end. */
export interface ServiceDrain {
  readonly runs: Pick<ActiveRuns, 'count' | 'idle' | 'refuse' | 'stopAll'>;
  readonly leases: Pick<LeaseManager, 'closeAll'>;
  readonly spool: Pick<
    UsageSpool,
    | ('openLeaseCount' | 'openRequestCount' | 'poisonedBy' | 'spoolId')
    | ('neverGrantedCount' | 'unsettledCount')
  >;
  readonly publication: Pick<UsagePublication, 'flush'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long running answers may go on. */
  readonly streamsMs: number;
}

/** Share of the deadline that is kept for ending the requests that are cut, and for settling. */
const SETTLE_SHARE = 0.5;
const RETRY_MS = 100;

/**
 * Lets running answers finish, ends the rest with an error frame, closes every lease and
 * settles the spool. Rejects when records are left: their directory must be kept or drained. Records
 * of leases that billing never granted never settle, so they are not waited for. They count as left
 * too, because only billing knows whether it has written them down as dead letters.
 */
export async function drainService(drain: ServiceDrain, deadlineMs: number): Promise<void> {
  const { clock, leases, logger, runs, spool } = drain;
  const endMs = clock.monotonicMs() + deadlineMs;
  runs.refuse();
  const streamsMs = Math.min(drain.streamsMs, deadlineMs * SETTLE_SHARE);
  await waitAtMost(clock, streamsMs, runs.idle());
  if (runs.count > 0) {
    logger.warn({ running: runs.count }, 'answers are cut because the service stops');
    runs.stopAll('shutdown');
    await waitAtMost(clock, Math.max(0, endMs - clock.monotonicMs()), runs.idle());
  }
  leases.closeAll();
  await flushUntilSettled(drain, endMs);
  const { spoolId, neverGrantedCount: records } = spool;
  if (records > 0) {
    const message = 'records of leases that billing never granted stay in the spool';
    logger.warn({ records, spoolId }, message);
  }
  const left = spool.unsettledCount + spool.openRequestCount;
  if (left > 0 || spool.poisonedBy !== undefined) {
    throw new Error(
      `${left} usage records of spool ${spoolId} are not settled: start this service again ` +
        'on the same directory, or settle it with "spool drain"',
    );
  }
}

async function flushUntilSettled(drain: ServiceDrain, endMs: number): Promise<void> {
  const { clock, publication, spool } = drain;
  while (clock.monotonicMs() < endMs && spool.poisonedBy === undefined) {
    // A bus that hangs must not make the stop later than it may be.
    await waitAtMost(clock, endMs - clock.monotonicMs(), publication.flush());
    const left = spool.unsettledCount - spool.neverGrantedCount;
    if (left === 0 && spool.openLeaseCount === 0) return;
    await delay(clock, RETRY_MS);
  }
}
