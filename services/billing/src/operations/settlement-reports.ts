import { createBoundedMap, type Logger, writtenRecords } from '@tollgate/core';
import type { DeadLetters } from '../domain/ports';
import type { RecordOutcome } from '../domain/settle-records';
import type { ReceivedRecord } from '../domain/usage-record';
import type { SettleUsageOperation } from './settlement';

/** Foreign records that were reported; older ones may be reported again. */
const FOREIGN_REPORTED_MAX = 10_000;

/**
 * The operation that also reports everything that must not happen. A record of a lease that its
 * spool never had is reported once: the spool sends it again every few seconds, for as long as nobody
 * settles it, and a counter says how often.
 */
export function withSettlementReports(
  settle: SettleUsageOperation,
  { logger, deadLetters }: { readonly logger: Logger; readonly deadLetters: DeadLetters },
): SettleUsageOperation {
  const reported = createBoundedMap<string, true>(FOREIGN_REPORTED_MAX);
  return async (records) => {
    const result = await settle(records);
    const foreign = result.outcomes.filter(
      ({ kind, record }) => kind === 'foreign' && reported.get(placeOf(record)) === undefined,
    );
    for (const outcome of result.outcomes) {
      if (outcome.kind === 'charged') reportCharge(logger, outcome);
    }
    for (const outcome of foreign) {
      reported.set(placeOf(outcome.record), true);
      logger.error(logFieldsOf(outcome), 'a usage record names a lease that its spool never had');
    }
    for (const [accountId, { kind, error }] of result.failures) {
      logger.warn({ accountId, kind, error }, 'an account could not be settled now');
    }
    if (foreign.length > 0) {
      // Completion waits for this answer, and must not wait for the event bus.
      deadLetters.report(foreign.map(({ record }) => record)).catch((error: unknown) => {
        for (const { record } of foreign) reported.delete(placeOf(record));
        logger.error({ error, records: foreign.length }, 'dead letters could not be published');
      });
    }
    return result;
  };
}

function placeOf({ accountId, holder, lease, number }: ReceivedRecord): string {
  return `${accountId}:${holder}:${lease}:${number}`;
}

function reportCharge(logger: Logger, outcome: Extract<RecordOutcome, { kind: 'charged' }>): void {
  const { charged, absorbed, overrun, settledReason, mismatch } = outcome;
  const amounts = { charged: `${charged}`, absorbed: `${absorbed}`, overrun: `${overrun}` };
  const fields = { ...logFieldsOf(outcome), ...amounts };
  if (settledReason === 'refused') {
    // The ledger and the dead letter have it with 0 for what made no sense.
    const received = outcome.record.kind === 'malformed' ? undefined : outcome.record;
    const record = received && writtenRecords.write(received);
    logger.error({ ...fields, record }, 'a usage record makes no sense and was settled at 0');
  } else if (absorbed > 0n) {
    logger.warn(fields, 'delivered work could not be charged in full and was absorbed');
  } else if (mismatch) {
    logger.warn(fields, 'a usage record does not agree with its price or its reservation');
  }
}

function logFieldsOf({ record }: RecordOutcome) {
  const { accountId, lease, number, holder } = record;
  const requestId = record.kind === 'usage' ? record.requestId : undefined;
  return { accountId, lease, number, holder, requestId };
}
