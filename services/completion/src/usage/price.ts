import {
  minNano,
  type Nano,
  priceOf,
  type TokenCounts,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';
import { type Candidate, isOwnChannel } from '../routing/candidate';

/** What the account's own channels cost: nothing. */
export const FREE_PRICES: UnitPrices = {
  prompt: ZERO_NANO,
  completion: ZERO_NANO,
  cachedPrompt: ZERO_NANO,
};

/** What the account pays for tokens of the candidate. */
export function pricesOf(candidate: Candidate): UnitPrices {
  return isOwnChannel(candidate) ? FREE_PRICES : candidate.model.prices;
}

/** The amount for the tokens, never above what was reserved for them. */
export function chargeOf(prices: UnitPrices, tokens: TokenCounts, reserved: Nano): Nano {
  return minNano(priceOf(prices, tokens), reserved);
}
