import {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  chunksOf,
  delay,
  type Logger,
} from '@tollgate/core';
import type { BillingPort } from '../domain/billing';
import { type LeaseWatermark, leaseKeyOf } from '../domain/lease-ref';
import type { CompletionMetrics } from '../metrics';
import type { RecoveryReport } from '../spool/recovery';
import type { UsageSpool } from '../spool/spool';

export interface RecoveryDependencies {
  readonly spool: Pick<UsageSpool, 'epoch' | 'leaseRefs' | 'recover' | 'spoolId'>;
  readonly billing: Pick<BillingPort, 'readWatermarks'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<CompletionMetrics, 'spoolDamage' | 'spoolTornBytes'>;
}

const BACKOFF: BackoffPolicy = { initialMs: 100, maxMs: 5000 };
/** Leases in one question to billing: no setting, because nobody waits for the others. */
const LEASES_PER_CALL = 500;

/**
 * Ends what a crash left open, in an opened spool. A damaged file cannot say which numbers billing
 * waits for, so billing is asked, for as long as it takes; nothing is served meanwhile.
 */
export async function recoverSpool(
  deps: RecoveryDependencies,
  report: RecoveryReport,
  signal: AbortSignal,
): Promise<void> {
  const { spool, logger, metrics } = deps;
  if (report.tornBytes > 0) {
    metrics.spoolTornBytes.inc(undefined, report.tornBytes);
    logger.warn({ tornBytes: report.tornBytes }, 'the spool had a torn tail; it was cut');
  }
  let watermarks: readonly LeaseWatermark[] | undefined;
  if (report.damagedPlaces > 0) {
    metrics.spoolDamage.inc(undefined, report.damagedPlaces);
    logger.error(
      { damagedPlaces: report.damagedPlaces, spoolId: spool.spoolId },
      'the spool is damaged: its open requests end at zero; check the disk, then run the audit',
    );
    watermarks = await askUntilAnswered(deps, signal);
  }
  const records = await spool.recover(watermarks);
  if (records.length > 0) {
    logger.info({ records: records.length, epoch: spool.epoch }, 'the spool was recovered');
  }
}

async function askUntilAnswered(
  { spool, billing, clock, logger }: RecoveryDependencies,
  signal: AbortSignal,
): Promise<readonly LeaseWatermark[]> {
  const found = new Map<string, LeaseWatermark>();
  for (const refs of chunksOf(spool.leaseRefs(), LEASES_PER_CALL)) {
    let unanswered = refs;
    for (let attempt = 0; unanswered.length > 0; attempt += 1) {
      try {
        const watermarks = await billing.readWatermarks(unanswered);
        for (const watermark of watermarks) found.set(leaseKeyOf(watermark), watermark);
        unanswered = unanswered.filter((ref) => !found.has(leaseKeyOf(ref)));
        if (unanswered.length === 0) break;
        const accountIds = [...new Set(unanswered.map(({ accountId }) => accountId))];
        logger.warn({ accountIds }, 'a damaged spool waits for accounts that billing cannot read');
      } catch (error) {
        logger.warn({ error }, 'a damaged spool waits for billing');
      }
      await delay(clock, backoffDelayMs(BACKOFF, attempt), signal);
    }
  }
  return [...found.values()];
}
