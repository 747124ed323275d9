import { type Clock, invalid, type Nano, topUpClaimId } from '@tollgate/core';
import type { CreditClaim } from './claims';
import type { GrantResult } from './credits';

/** A payment that another system tells of. */
export interface TopUp {
  readonly provider: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly amount: Nano;
  readonly currency: string;
  readonly reference: string;
}

export type TopUpOperation = (topUp: TopUp) => Promise<GrantResult>;

export function createTopUp(options: {
  readonly creditClaim: CreditClaim;
  readonly clock: Clock;
  readonly currency: string;
}): TopUpOperation {
  const { creditClaim, clock, currency } = options;
  return async ({ provider, eventId, accountId, amount, reference, ...topUp }) => {
    if (topUp.currency !== currency) {
      const sentence = `data.currency: must be ${currency}, the currency of all accounts.`;
      throw invalid('data.currency', sentence);
    }
    const note = ['Top-up', provider, reference === '' ? eventId : reference].join(' ');
    const id = topUpClaimId(provider, eventId);
    return creditClaim({ id, accountId, amount, note, claimedAtMs: clock.now() });
  };
}
