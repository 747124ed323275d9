import { formatAmount } from '@tollgate/core';
import type { RepeatedWork } from '@tollgate/jobs';
import type { OwnedClaim } from '../domain/claims';
import { type ClaimDependencies, grantKept, isRefusal } from '../operations/claims';

/** A claim that is this old and open lost the process that kept it, milliseconds. */
const ABANDONED_MS = 10_000;
const FINISH_INTERVAL_MS = 5_000;
const CLAIMS_PAGE = 100;

/** Gives the credit of claims whose process died before it did. Only the leader does. */
export function createFinishClaims(
  { claims, grantCredit, clock, logger }: ClaimDependencies,
  intervalMs = FINISH_INTERVAL_MS,
): RepeatedWork {
  const finish = async (claim: OwnedClaim): Promise<void> => {
    try {
      await grantKept(grantCredit, claim);
      await claims.close(claim.id);
    } catch (error) {
      const { id, accountId, amount } = claim;
      const note = { error, claim: id, accountId, amount: formatAmount(amount) };
      if (isRefusal(error)) logger.error(note, 'a claim is kept and its credit cannot be given');
      else logger.warn(note, 'a claim could not be finished');
    }
  };
  return {
    name: 'finish-claims',
    intervalMs,
    async run(signal) {
      const until = clock.now() - ABANDONED_MS;
      let after: string | undefined;
      do {
        const page = await claims.listOpen(until, { after, limit: CLAIMS_PAGE });
        for (const claim of page) {
          if (signal.aborted) return;
          await finish(claim);
        }
        after = page.length < CLAIMS_PAGE ? undefined : page.at(-1)?.id;
      } while (after !== undefined);
    },
  };
}
