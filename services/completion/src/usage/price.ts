import {
  discountedPrices,
  minNano,
  type Nano,
  priceOf,
  type TokenCounts,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';
import { type Candidate, isOwnChannel } from '../routing/candidate';

/** The price of the account's own channels: nothing. */
export const FREE_PRICES: UnitPrices = {
  prompt: ZERO_NANO,
  completion: ZERO_NANO,
  cachedPrompt: ZERO_NANO,
};

/** The price of the candidate's tokens with the account's discount: every amount is made from it. */
export function candidatePricesOf(candidate: Candidate, discount: number): UnitPrices {
  if (isOwnChannel(candidate)) return FREE_PRICES;
  return discountedPrices(candidate.model.prices, discount);
}

/** The amount for the tokens, never above what was reserved for them. */
export function chargeOf(prices: UnitPrices, tokens: TokenCounts, reserved: Nano): Nano {
  return minNano(priceOf(prices, tokens), reserved);
}
