import {
  AppError,
  maxNano,
  type Nano,
  priceOf,
  TOKENS_PER_PRICE_UNIT,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';

/** What a request may cost at most, and the least that makes it worth to start. */
export interface ReservationPlan {
  /** Covers whatever a vendor may count: each byte of the prompt a token, every answer whole. */
  readonly worst: Nano;
  /**
   * The prompt at its estimate. With max_tokens every answer whole, so that none is capped unseen;
   * without it a few tokens of each.
   */
  readonly minimum: Nano;
}

/** The figures that a reservation depends on. */
export interface ReservationInput {
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

/** A capped answer must be worth something: below this many tokens the request is refused. */
export const CAPPED_TOKENS_MIN = 16;

/** The worst case of a request and its minimum. */
export function planReservation(input: ReservationInput): ReservationPlan {
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
export function planReservationForAll(
  first: ReservationInput,
  others: readonly ReservationInput[],
): ReservationPlan {
  const plan = planReservation(first);
  return {
    worst: others.map((input) => planReservation(input).worst).reduce(maxNano, plan.worst),
    minimum: plan.minimum,
  };
}

/**
 * The max_tokens to send for a request that holds `reserved`: the caller's own, nothing when the
 * reservation covers the model's cap, otherwise what it pays. Below the minimum the request is
 * refused with INSUFFICIENT_BALANCE.
 */
export function tokensCoveredBy(input: ReservationInput, reserved: Nano): number | undefined {
  if (reserved < planReservation(input).minimum) throw new AppError('INSUFFICIENT_BALANCE');
  const { choices, completionTokensMax, maxTokens, promptEstimate } = input;
  if (maxTokens !== undefined) return maxTokens;
  const prices = worstPrices(input.prices);
  if (prices.completion === ZERO_NANO) return undefined;
  // Exact before the one rounding up: prompt and tokens together never pass what is reserved.
  const spare = reserved * TOKENS_PER_PRICE_UNIT - BigInt(promptEstimate) * prices.prompt;
  const covered = spare / (prices.completion * BigInt(choices));
  return covered >= BigInt(completionTokensMax) ? undefined : Number(covered);
}

function costOf(input: ReservationInput, prompt: number, completion: number): Nano {
  const counts = { prompt, completion: completion * input.choices, cached: 0 };
  return priceOf(worstPrices(input.prices), counts);
}

// A vendor may report any share of the prompt as cached, so the dearer of the two prices counts.
function worstPrices(prices: UnitPrices): UnitPrices {
  return { ...prices, prompt: maxNano(prices.prompt, prices.cachedPrompt) };
}
