import {
  AppError,
  maxNano,
  minNano,
  type Nano,
  priceOf,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';

/** A capped answer must be worth something: below this many tokens the request is refused. */
export const CAPPED_TOKENS_MIN = 16;
const TOKENS_PER_PRICE_UNIT = 1_000_000n;

/** What a request may cost at most, and the least that makes it worth to start. */
export interface DrawPlan {
  /** Covers whatever a vendor may count: each byte of the prompt a token, every answer whole. */
  readonly worst: Nano;
  /**
   * The prompt at its estimate. With max_tokens every answer whole, so that none is capped unseen;
   * without it a few tokens of each.
   */
  readonly minimum: Nano;
}

/** The figures that a draw depends on. */
export interface DrawInput {
  readonly prices: UnitPrices;
  readonly promptEstimate: number;
  /** No tokenizer counts more; never below the estimate. */
  readonly promptTokensMax: number;
  /** Answers that are asked for at once (`n`); each has the cap for itself. */
  readonly choices: number;
  readonly maxTokens: number | undefined;
  /** The model's own cap of an answer. */
  readonly completionTokensMax: number;
}

// A vendor may report any share of the prompt as cached, so the dearer of the two prices counts.
function worstPrices(prices: UnitPrices): UnitPrices {
  return { ...prices, prompt: maxNano(prices.prompt, prices.cachedPrompt) };
}

function costOf(input: DrawInput, prompt: number, completion: number): Nano {
  const counts = { prompt, completion: completion * input.choices, cached: 0 };
  return priceOf(worstPrices(input.prices), counts);
}

/** The worst case of a request and its minimum. */
export function planDraw(input: DrawInput): DrawPlan {
  const { completionTokensMax, maxTokens, promptEstimate, promptTokensMax } = input;
  const completionMin = maxTokens ?? Math.min(CAPPED_TOKENS_MIN, completionTokensMax);
  return {
    worst: costOf(input, promptTokensMax, maxTokens ?? completionTokensMax),
    minimum: costOf(input, promptEstimate, completionMin),
  };
}

/**
 * A plan that also covers what may be tried when the first one fails; what the first needs is
 * enough to begin.
 */
export function planDrawForAll(first: DrawInput, others: readonly DrawInput[]): DrawPlan {
  const plan = planDraw(first);
  return {
    worst: others.map((input) => planDraw(input).worst).reduce(maxNano, plan.worst),
    minimum: plan.minimum,
  };
}

/**
 * The max_tokens to send for a request that drew `drawn`: the caller's own, nothing when the draw
 * covers the model's cap, otherwise what the draw pays. A draw below the minimum is refused with
 * INSUFFICIENT_BALANCE.
 */
export function tokensCoveredBy(input: DrawInput, drawn: Nano): number | undefined {
  if (drawn < planDraw(input).minimum) throw new AppError('INSUFFICIENT_BALANCE');
  const { choices, completionTokensMax, maxTokens, promptEstimate } = input;
  if (maxTokens !== undefined) return maxTokens;
  const prices = worstPrices(input.prices);
  if (prices.completion === ZERO_NANO) return undefined;
  // Exact before the one rounding up, so that prompt and tokens together never pass the draw.
  const spare = drawn * TOKENS_PER_PRICE_UNIT - BigInt(promptEstimate) * prices.prompt;
  const covered = spare / (prices.completion * BigInt(choices));
  return covered >= BigInt(completionTokensMax) ? undefined : Number(covered);
}

/** What a draw asks of the table's prices when the channel is the account's own: nothing. */
export const FREE_PRICES: UnitPrices = {
  prompt: ZERO_NANO,
  completion: ZERO_NANO,
  cachedPrompt: ZERO_NANO,
};

/** The amount for the tokens, never above what was drawn for them. */
export function chargeOf(
  prices: UnitPrices,
  tokens: { readonly prompt: number; readonly completion: number; readonly cached: number },
  drawn: Nano,
): Nano {
  return minNano(priceOf(prices, tokens), drawn);
}
