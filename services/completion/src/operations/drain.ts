import { type Clock, delay, type Logger } from '@tollgate/core';
import type { BillingPort } from '../credit/lease';
import type { LeaseManager } from '../credit/lease-manager';
import type { UsageSpool } from '../spool/log';
import type { UsagePublication } from '../usage/publish';
import type { ActiveRuns } from './active-runs';
import { type RecoveryDependencies, recoverSpool } from './recover';

/** What a stop has to bring to an end. */
export interface ServiceDrain {
  readonly runs: Pick<ActiveRuns, 'count' | 'idle' | 'refuse' | 'stopAll'>;
  readonly leases: Pick<LeaseManager, 'closeAll'>;
  readonly spool: Pick<
    UsageSpool,
    'openLeaseCount' | 'openRequestCount' | 'poison' | 'spoolId' | 'unsettledCount'
  >;
  readonly publication: Pick<UsagePublication, 'flush'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long running answers may go on. */
  readonly streamsMs: number;
}

/** Kept of the deadline for ending what was cut, and for settling. */
const SETTLE_SHARE = 0.5;
const RETRY_MS = 100;

/**
 * Lets running answers finish, ends the rest with an error frame, closes every lease and
 * settles the spool. Rejects when records are left: their directory must be kept or drained.
 */
export async function drainService(drain: ServiceDrain, deadlineMs: number): Promise<void> {
  const { clock, leases, logger, runs, spool } = drain;
  const endMs = clock.monotonicMs() + deadlineMs;
  runs.refuse();
  const streamsMs = Math.min(drain.streamsMs, deadlineMs * SETTLE_SHARE);
  await Promise.race([runs.idle(), delay(clock, streamsMs)]);
  if (runs.count > 0) {
    logger.warn({ running: runs.count }, 'answers are cut because the service stops');
    runs.stopAll('shutdown');
    await Promise.race([runs.idle(), delay(clock, Math.max(0, endMs - clock.monotonicMs()))]);
  }
  leases.closeAll();
  await settle(drain, endMs);
  const left = spool.unsettledCount + spool.openRequestCount;
  if (left > 0 || spool.poison !== undefined) {
    throw new Error(
      `${left} usage records of spool ${spool.spoolId} are not settled: start this service again ` +
        'on the same directory, or settle it with "spool drain"',
    );
  }
}

async function settle(drain: ServiceDrain, endMs: number): Promise<void> {
  const { clock, publication, spool } = drain;
  while (clock.monotonicMs() < endMs && spool.poison === undefined) {
    // A bus that hangs must not make the stop later than it may be.
    await Promise.race([publication.flush(), delay(clock, endMs - clock.monotonicMs())]);
    if (spool.unsettledCount === 0 && spool.openLeaseCount === 0) return;
    await delay(clock, RETRY_MS);
  }
}

/** What settling a directory works with. */
export interface DrainDependencies extends RecoveryDependencies {
  readonly spool: UsageSpool;
  readonly billing: Pick<BillingPort, 'getSettlements' | 'settleUsage'>;
  /** Gives up after this time. */
  readonly timeoutMs: number;
}

/** How far it came. */
export interface DrainResult {
  readonly spoolId: string;
  readonly settled: number;
  /** Records that billing has not settled; 0 means that the directory may be deleted. */
  readonly left: number;
}

const BATCH_RECORDS = 200;
const DIRECTORY_RETRY_MS = 500;

/**
 * Settles a spool whose process is gone: recovers it as a start would, and hands everything to
 * billing until the watermark covers it.
 */
export async function drainSpool(deps: DrainDependencies): Promise<DrainResult> {
  const { spool, clock, timeoutMs } = deps;
  const controller = new AbortController();
  const timer = clock.schedule(timeoutMs, () => controller.abort(new Error('out of time')));
  try {
    const report = await spool.open();
    await recoverSpool(deps, report, controller.signal);
    const before = spool.unsettledCount;
    const left = await settleEverything(deps, controller.signal);
    return { spoolId: spool.spoolId, settled: before - left, left };
  } finally {
    timer.cancel();
    await spool.close();
  }
}

async function settleEverything(deps: DrainDependencies, signal: AbortSignal): Promise<number> {
  const { spool, billing, clock, logger } = deps;
  while (spool.unsettledCount > 0 && !signal.aborted) {
    try {
      await settleOutbox(spool, billing, signal);
    } catch (error) {
      logger.warn({ error, left: spool.unsettledCount }, 'billing does not settle; trying again');
    }
    if (spool.unsettledCount === 0) break;
    spool.requeue(0);
    await delay(clock, DIRECTORY_RETRY_MS, signal).catch(() => {});
  }
  await spool.flush();
  return spool.unsettledCount;
}

async function settleOutbox(
  spool: UsageSpool,
  billing: Pick<BillingPort, 'settleUsage'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const batch = spool.takeBatch(BATCH_RECORDS);
    if (batch.length === 0) return;
    spool.settle(await billing.settleUsage(batch));
  }
}
