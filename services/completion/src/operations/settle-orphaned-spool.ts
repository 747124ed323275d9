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
}

/** No setting: the command has none of the service's, and works alone. */
const BATCH_RECORDS = 200;
const RETRY_MS = 500;

/**
 * Settles a spool whose process is gone: recovers it as a start would, and hands everything to
 * billing until the watermark covers it.
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
    const left = await settleEverything(deps, controller.signal);
    return { spoolId: spool.spoolId, settled: before - left, left };
  } finally {
    timer.cancel();
    await spool.close();
  }
}

async function settleEverything(
  deps: OrphanedSpoolDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { spool, billing, clock, logger } = deps;
  while (spool.unsettledCount > 0 && !signal.aborted) {
    try {
      await settleUnsent(spool, billing, signal);
    } catch (error) {
      logger.warn({ error, left: spool.unsettledCount }, 'billing does not settle; trying again');
    }
    if (spool.unsettledCount === 0) break;
    spool.requeue(0);
    await delay(clock, RETRY_MS, signal).catch(() => {});
  }
  await spool.flush();
  return spool.unsettledCount;
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
