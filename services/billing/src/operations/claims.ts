import { AppError, type Clock, type Logger } from '@tollgate/core';
import { type OwnedClaim, requireSame } from '../domain/claims';
import type { ClaimStore } from '../domain/ports';
import type { GrantCredit, GrantResult } from './credits';

export interface ClaimDependencies {
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
export function isFinalRefusal(error: unknown): boolean {
  return error instanceof AppError && error.definition.httpStatus < 500;
}

/** Gives the credit of a kept claim, once however often. */
export function grantKept(grantCredit: GrantCredit, claim: OwnedClaim) {
  const { id, accountId, amount, note, actorId } = claim;
  return grantCredit({ accountId, name: `claim:${id}`, amount, note, actorId });
}
