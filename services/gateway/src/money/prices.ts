import {
  cacheWritePriceOf,
  discountedPrices,
  formatAmount,
  parseNano,
  type UnitPrices,
} from '@tollgate/core';
import { amount } from './amounts';

/** Prices of 1M tokens in an answer. */
export const priceFields = {
  prompt: amount,
  completion: amount,
  cached_prompt: amount,
  cache_write: amount.describe('Of what the vendor puts into its cache.'),
};

/**
 * From nano-units, less a discount in hundredths of a percent; where writing a cache has no price of
 * its own it costs what the prompt does.
 */
export function toPrices(prices: PricesInNano, discount = 0) {
  const paid = discountedPrices(fromNanoTexts(prices), discount);
  return {
    prompt: formatAmount(paid.prompt),
    completion: formatAmount(paid.completion),
    cached_prompt: formatAmount(paid.cachedPrompt),
    cache_write: formatAmount(cacheWritePriceOf(paid)),
  };
}

/** As other services send them. */
interface PricesInNano {
  readonly prompt: string;
  readonly completion: string;
  readonly cachedPrompt: string;
  readonly cacheWrite?: string | undefined;
}

function fromNanoTexts(prices: PricesInNano): UnitPrices {
  const { cacheWrite } = prices;
  return {
    prompt: parseNano(prices.prompt),
    completion: parseNano(prices.completion),
    cachedPrompt: parseNano(prices.cachedPrompt),
    cacheWrite: cacheWrite === undefined ? undefined : parseNano(cacheWrite),
  };
}
