import {
  AppError,
  cacheWritePriceOf,
  maxNano,
  type Nano,
  priceOf,
  TOKENS_PER_PRICE_UNIT,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';

/** The most that a request may cost, and the least that makes it worth to start. */
export interface CostRange {
  /**
   * Covers whatever a vendor may count: each byte of the prompt a token, every answer to its end.
   */
  readonly worst: Nano;
  /**
   * The prompt at its estimate. With max_tokens every answer to its end, so that none is capped
   * unseen; without it a few tokens of each.
   */
  readonly minimum: Nano;
  /**
   * The same with the prompt at its most, while the account has credit besides: with that a client
   * could leave just the minimum for this one, and nobody would pay what its vendor counts above the
   * estimate.
   */
  readonly minimumBesideCredit: Nano;
}

/** The figures that the cost of a request depends on. */
export interface CostInput {
  readonly prices: UnitPrices;
  readonly promptEstimate: number;
  /** No tokenizer counts more; never below the estimate. */
  readonly promptTokensMax: number;
  /** Answers that are asked for at once (`n`); each has the cap for itself. */
  readonly choices: number;
  readonly maxTokens: number | undefined;
  /** The model's own cap of an answer. */
  readonly completionTokensMax: number;
  /** The most that the client lets the request cost; undefined leaves it to the balance. */
  readonly costMax: Nano | undefined;
}

/** A capped answer must be worth something: below this many tokens the request is refused. */
export const CAPPED_TOKENS_MIN = 16;

/** The worst case of a request and its minimum; the worst case never passes `costMax`. */
export function costRangeOf(input: CostInput): CostRange {
  const { choices, maxTokens, promptEstimate, promptTokensMax } = input;
  const prices = worstPrices(input.prices);
  const completion = answerTokensMax(input);
  const completionMin =
    maxTokens === undefined ? Math.min(CAPPED_TOKENS_MIN, completion) : completion;
  return {
    worst: costAt(prices, promptTokensMax, completion * choices),
    minimum: costAt(prices, promptEstimate, completionMin * choices),
    minimumBesideCredit: costAt(prices, promptTokensMax, completionMin * choices),
  };
}

/** The same request where all that a vendor may count for the prompt is paid before any answer. */
export function withPromptAtMost(input: CostInput): CostInput {
  return { ...input, promptEstimate: input.promptTokensMax };
}

/**
 * The smallest `costMax` that the request can be answered within: whatever a vendor may count for
 * the prompt, and a token of each answer that has any.
 */
export function leastCostMax(input: CostInput): Nano {
  const { choices, completionTokensMax, prices, promptTokensMax } = input;
  return costAt(worstPrices(prices), promptTokensMax, Math.min(1, completionTokensMax) * choices);
}

/**
 * `worst` covers the dearest of all candidates; the minimums are the first one's. With less balance
 * than `worst`, a request whose first channel is the account's own may therefore hold all of it.
 * Credit for a paid fallback cannot be reserved later, when it is called: one request has one lease.
 */
export function coverAll(first: CostRange, others: readonly CostRange[]): CostRange {
  if (others.length === 0) return first;
  return { ...first, worst: others.map(({ worst }) => worst).reduce(maxNano, first.worst) };
}

/**
 * The max_tokens to send for a request that holds `reserved`: the client's own, nothing when the
 * reservation covers the model's cap, otherwise what it pays; never more than `costMax` pays. Below
 * the minimum of its plan the request is refused with INSUFFICIENT_BALANCE.
 */
export function tokensCoveredBy(
  input: CostInput,
  { minimum }: Pick<CostRange, 'minimum'>,
  reserved: Nano,
): number | undefined {
  if (reserved < minimum) throw new AppError('INSUFFICIENT_BALANCE');
  const allowed = answerTokensMax(input);
  if (input.maxTokens !== undefined) return allowed;
  const tokens = Math.min(allowed, answerTokensPaidBy(input, reserved, input.promptEstimate));
  return tokens >= input.completionTokensMax ? undefined : tokens;
}

/** Tokens that each answer may have, as its client and its model allow. */
function answerTokensMax(input: CostInput): number {
  const { completionTokensMax, costMax, maxTokens = completionTokensMax, promptTokensMax } = input;
  if (costMax === undefined) return maxTokens;
  return Math.min(maxTokens, answerTokensPaidBy(input, costMax, promptTokensMax));
}

/** Tokens of each answer that the amount pays besides the prompt. */
function answerTokensPaidBy(input: CostInput, amount: Nano, promptTokens: number): number {
  const { completion, prompt } = worstPrices(input.prices);
  // Exact before the one rounding up: prompt and tokens together never pass the amount.
  const spare = amount * TOKENS_PER_PRICE_UNIT - BigInt(promptTokens) * prompt;
  if (spare < 0n) return 0;
  if (completion === ZERO_NANO) return Infinity;
  return Number(spare / (completion * BigInt(input.choices)));
}

function costAt(prices: UnitPrices, prompt: number, completion: number): Nano {
  return priceOf(prices, { prompt, completion, cached: 0 });
}

// A vendor may report any share of the prompt as read from its cache or put there, so the dearest
// of the prices counts.
function worstPrices(prices: UnitPrices): UnitPrices {
  const cached = maxNano(prices.cachedPrompt, cacheWritePriceOf(prices));
  return { ...prices, prompt: maxNano(prices.prompt, cached) };
}
