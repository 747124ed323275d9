import { AppError, type Clock, creditNameOfClaim, formatAmount, type Logger } from '@tollgate/core';
import { forEachFound, type PageStart, type RepeatedWork } from '@tollgate/jobs';
import { type OwnedClaim, requireSame } from '../domain/claims';
import type { ClaimStore, OpenClaim } from '../domain/ports';
import type { GrantCredit, GrantResult } from './credits';
import type { Quarantine } from './quarantine';

interface ClaimDependencies {
  readonly claims: ClaimStore;
  readonly grantCredit: GrantCredit;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps the claim, then gives its credit. Rejects with CONFLICT when another one is kept under its
 * id. A repetition is answered the entry of the first time.
 */
export type CreditClaim = (claim: OwnedClaim) => Promise<GrantResult>;

export function createCreditClaim({ claims, grantCredit, logger }: ClaimDependencies): CreditClaim {
  return async (claim) => {
    const kept = requireSame(await claims.keep(claim), claim);
    const result = await grantKept(grantCredit, kept).catch(async (error: unknown) => {
      // Whoever is told of a refusal may have paid back already: nobody finishes the claim later.
      // When it cannot be closed, that is the answer, and the same is asked again.
      if (isFinalRefusal(error)) await claims.close(kept.id);
      throw error;
    });
    // The credit is given: who comes to close the claim later finds that out.
    await claims.close(kept.id).catch((error: unknown) => {
      logger.warn({ error, claim: kept.id }, 'a claim is closed later');
    });
    return result;
  };
}

/** Asked again it would be refused again. */
function isFinalRefusal(error: unknown): boolean {
  return error instanceof AppError && error.definition.httpStatus < 500;
}

/** Gives the credit of a kept claim, once however often. */
function grantKept(grantCredit: GrantCredit, claim: OwnedClaim) {
  const { id, accountId, amount, note, actorId } = claim;
  return grantCredit({ accountId, name: creditNameOfClaim(id), amount, note, actorId });
}

/** A claim that is this old and open lost the process that kept it, milliseconds. */
const UNFINISHED_MS = 10_000;
const CLAIMS_PAGE = 100;

interface FinishDependencies extends ClaimDependencies {
  readonly quarantine: Quarantine;
}

/**
 * Gives the credit of claims whose process died before it did. A claim that is refused is closed as
 * if its own process had been told so: who claims it again may have it yet. One that fails by itself
 * is quarantined.
 */
export function createFinishClaims(deps: FinishDependencies): RepeatedWork['run'] {
  const { claims, grantCredit, quarantine, clock, logger } = deps;

  const giveAndClose = async (stored: OpenClaim): Promise<void> => {
    const claim = stored.read();
    await grantKept(grantCredit, claim).catch((error: unknown) => {
      if (!isFinalRefusal(error)) throw error;
      logger.error(
        { ...logFieldsOf(claim), amount: formatAmount(claim.amount), error },
        'the credit of a claim is refused, and the claim is closed',
      );
    });
    await claims.close(claim.id);
  };

  const finish = async (claim: OpenClaim): Promise<void> => {
    const { id: claimId, accountId } = claim;
    try {
      const work = { kind: 'claim', accountId, claimId } as const;
      await quarantine.attemptOrPostpone(work, () => giveAndClose(claim));
    } catch (error) {
      logger.warn({ ...logFieldsOf(claim), error }, 'a claim could not be finished');
    }
  };

  return (signal) => {
    const untilAtMs = clock.now() - UNFINISHED_MS;
    const listOpen = ({ after, limit }: PageStart<OpenClaim>) =>
      claims.listOpen(untilAtMs, { after: after?.id, limit });
    return forEachFound(listOpen, { pageSize: CLAIMS_PAGE, atOnceMax: 1, signal }, finish);
  };
}

function logFieldsOf({ id, accountId }: Pick<OwnedClaim, 'id' | 'accountId'>) {
  return { claim: id, accountId };
}
