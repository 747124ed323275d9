import { formatAmount, isTransient } from '@tollgate/core';
import {
  createQuarantineTimes,
  forEachFound,
  type PageStart,
  type RepeatedWork,
} from '@tollgate/jobs';
import type { OwnedClaim } from '../domain/claims';
import { type ClaimDependencies, grantKept, isFinalRefusal } from '../operations/claims';

/** A claim that is this old and open lost the process that kept it, milliseconds. */
const UNFINISHED_MS = 10_000;
const FINISH_INTERVAL_MS = 5_000;
/** Between two looks while no claim is open, in intervals. */
const RESTING_INTERVALS = 4;
/** What failed rests for so long, milliseconds: the claims of other accounts come first. */
const RETRY_MS = 60_000;
const CLAIMS_PAGE = 100;

/**
 * Gives the credit of claims whose process died before it did. Only the leader does. A claim that is
 * refused is closed as if its own process had been told so: who claims it again may have it yet.
 */
export function createFinishClaims({
  claims,
  grantCredit,
  clock,
  logger,
}: ClaimDependencies): RepeatedWork {
  const retryTimes = createQuarantineTimes(clock, RETRY_MS);
  const finish = async (claim: OwnedClaim): Promise<void> => {
    const { id, accountId, amount } = claim;
    if (!retryTimes.isDue(accountId) || !retryTimes.isDue(id)) return;
    const fields = { claim: id, accountId, amount: formatAmount(amount) };
    try {
      await grantKept(grantCredit, claim).catch((error: unknown) => {
        if (!isFinalRefusal(error)) throw error;
        logger.error(
          { ...fields, error },
          'the credit of a claim is refused, and the claim is closed',
        );
      });
      await claims.close(id);
    } catch (error) {
      // What may pass, such as a full journal, concerns all claims of the account.
      retryTimes.add(isTransient(error) ? accountId : id);
      logger.warn({ ...fields, error }, 'a claim could not be finished');
    }
  };
  return {
    name: 'finish-claims',
    intervalMs: FINISH_INTERVAL_MS,
    restingMs: FINISH_INTERVAL_MS * RESTING_INTERVALS,
    async run(signal) {
      const untilAtMs = clock.now() - UNFINISHED_MS;
      const listOpen = ({ after, limit }: PageStart<OwnedClaim>) =>
        claims.listOpen(untilAtMs, { after: after?.id, limit });
      return forEachFound(listOpen, { pageSize: CLAIMS_PAGE, atOnceMax: 1, signal }, finish);
    },
  };
}
