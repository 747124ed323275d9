import { delay } from '@tollgate/core';
import type { BillingPort } from '../domain/billing';
import type { UsageSpool } from '../spool/spool';
import { type RecoveryDependencies, recoverSpool } from './recover';

export interface OrphanedSpoolDependencies extends RecoveryDependencies {
  readonly spool: UsageSpool;
  readonly billing: Pick<BillingPort, 'readWatermarks' | 'settleUsage'>;
  /** Gives up after this time. */
  readonly timeoutMs: number;
}

/** How far it came. */
export interface OrphanedSpoolResult {
  readonly spoolId: string;
  readonly settled: number;
  /** Records that billing has not settled; 0 means that the directory may be deleted. */
  readonly left: number;
  /** Of those, the records of leases that billing never granted, of which it writes dead letters. */
  readonly neverGranted: number;
}

/** No setting: the command has none of the service's, and works alone. */
const BATCH_RECORDS = 200;
const RETRY_MS = 500;

/**
 * Settles a spool whose process is gone: recovers it as a start would, and hands everything to
 * billing until the watermark covers it. Records of leases that billing never granted are not waited
 * for, but they count as left.
 */
export async function settleOrphanedSpool(
  deps: OrphanedSpoolDependencies,
): Promise<OrphanedSpoolResult> {
  const { spool, clock, timeoutMs } = deps;
  const controller = new AbortController();
  const timer = clock.schedule(timeoutMs, () => controller.abort(new Error('out of time')));
  try {
    const report = await spool.open();
    await recoverSpool(deps, report, controller.signal);
    const before = spool.unsettledCount;
    await settleEverything(deps, controller.signal);
    const { neverGrantedCount: neverGranted, spoolId, unsettledCount: left } = spool;
    return { spoolId, settled: before - left, left, neverGranted };
  } finally {
    timer.cancel();
    await spool.close();
  }
}

async function settleEverything(
  deps: OrphanedSpoolDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { spool, billing, clock, logger } = deps;
  const isAnyAwaited = () => spool.unsettledCount > spool.neverGrantedCount;
  // Once also those that are not waited for: billing writes their dead letters when it gets them.
  for (let isFirst = true; isFirst || isAnyAwaited(); isFirst = false) {
    if (!isFirst) {
      spool.requeue(0);
      await delay(clock, RETRY_MS, signal).catch(() => {});
    }
    if (signal.aborted) break;
    try {
      await settleUnsent(spool, billing, signal);
    } catch (error) {
      logger.warn({ error, left: spool.unsettledCount }, 'billing does not settle');
    }
  }
  await spool.flush();
}

async function settleUnsent(
  spool: UsageSpool,
  billing: Pick<BillingPort, 'settleUsage'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const batch = spool.takeBatch(BATCH_RECORDS);
    if (batch.length === 0) return;
    spool.forget(await billing.settleUsage(batch));
  }
}
