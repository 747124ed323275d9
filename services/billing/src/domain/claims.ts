import { AppError, type Nano } from '@tollgate/core';

/**
 * Credit that is due once, however often and by whomever it is asked for: a payment that was made,
 * or a code that was redeemed. Whoever is kept first under the id has it; the credit itself follows,
 * named after the claim, so that no crash between the two gives it twice or not at all.
 */
export interface Claim {
  /** Of a payment that another system tells of, or of a redeemed code: `credit-origin` of core. */
  readonly id: string;
  /** Who gets the credit; undefined where nobody may have it any more. */
  readonly accountId: string | undefined;
  /** More than 0, but of a revoked code that cannot be read: nobody gets it. */
  readonly amount: Nano;
  /** Stands in the ledger with the credit. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly claimedAtMs: number;
  /** Who redeemed or revoked it, where that is known. */
  readonly actorId?: string | undefined;
}

/** A claim that an account has. */
export type OwnedClaim = Claim & { readonly accountId: string };

/** The kept claim when it is this one; a payment that is told of in two ways is a mistake. */
export function requireSame(kept: Claim, claim: OwnedClaim): OwnedClaim {
  const { accountId } = kept;
  if (accountId === claim.accountId && kept.amount === claim.amount) return { ...kept, accountId };
  throw new AppError('CONFLICT', {
    publicMessage: 'This was claimed before, for another account or another amount.',
    internalMessage: `${claim.id} is kept for ${String(accountId)}`,
  });
}

/** Whether the claim is kept is not known at present. */
export function unreadableClaim(id: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage: `${id} cannot be read now` });
}
