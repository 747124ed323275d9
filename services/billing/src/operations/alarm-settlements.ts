import type { Logger } from '@tollgate/core';
import type { DeadLetters } from '../domain/ports';
import type { Verdict } from '../domain/settle-records';
import type { SettleUsageOperation } from './settle-usage';

type Charged = Extract<Verdict, { kind: 'charged' }>;

function placeOf({ record }: Verdict) {
  const { accountId, lease, number, holder } = record;
  const requestId = record.kind === 'usage' ? record.requestId : undefined;
  return { accountId, lease, number, holder, requestId };
}

/** The operation with everything that must not happen said aloud. */
export function withSettlementAlarms(
  settle: SettleUsageOperation,
  { logger, deadLetters }: { readonly logger: Logger; readonly deadLetters: DeadLetters },
): SettleUsageOperation {
  const alarm = (verdict: Charged): void => {
    const { charged, absorbed, overrun } = verdict;
    const amounts = { charged: `${charged}`, absorbed: `${absorbed}`, overrun: `${overrun}` };
    const fields = { ...placeOf(verdict), ...amounts };
    if (verdict.settledReason === 'refused') {
      logger.error(fields, 'a usage record makes no sense and was settled at 0');
    } else if (absorbed > 0n) {
      logger.warn(fields, 'delivered work could not be charged in full and was absorbed');
    } else if (overrun > 0n || verdict.mismatch) {
      logger.warn(fields, 'a usage record does not agree with its price or its reservation');
    }
  };
  return async (records) => {
    const result = await settle(records);
    const foreign = result.verdicts.filter(({ kind }) => kind === 'foreign');
    for (const verdict of result.verdicts) {
      if (verdict.kind === 'charged') alarm(verdict);
    }
    for (const verdict of foreign) {
      logger.error(placeOf(verdict), 'a usage record names a lease that its spool never had');
    }
    for (const [accountId, { kind, error }] of result.failures) {
      logger.warn({ accountId, kind, error }, 'an account could not be settled now');
    }
    if (foreign.length > 0) {
      // Whoever waits for this answer must not wait for the event bus.
      deadLetters.report(foreign.map(({ record }) => record)).catch((error: unknown) => {
        logger.error({ error, records: foreign.length }, 'dead letters could not be published');
      });
    }
    return result;
  };
}
