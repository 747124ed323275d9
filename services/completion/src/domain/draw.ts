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
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_REQUEST = 8;
const BYTES_PER_TOKEN = 2;
const TOKENS_PER_PRICE_UNIT = 1_000_000n;

/**
 * An upper estimate of the prompt's tokens. Two bytes a token is denser than any text that real
 * tokenizers make of natural language, so the draw covers the vendor's count.
 */
export function estimatePromptTokens(promptBytes: number, messageCount: number): number {
  return (
    Math.ceil(promptBytes / BYTES_PER_TOKEN) +
    TOKENS_PER_MESSAGE * messageCount +
    TOKENS_PER_REQUEST
  );
}

/** What a request may cost at most, and the least that makes it worth to start. */
export interface DrawPlan {
  readonly worst: Nano;
  /** Equal to `worst` when the caller fixed max_tokens: its answer is never capped silently. */
  readonly minimum: Nano;
}

/** The figures that a draw depends on. */
export interface DrawInput {
  readonly prices: UnitPrices;
  readonly promptEstimate: number;
  readonly maxTokens: number | undefined;
  /** The model's own cap of an answer. */
  readonly completionTokensMax: number;
}

// A vendor may report any share of the prompt as cached, so the dearer of the two prices counts.
function worstPrices(prices: UnitPrices): UnitPrices {
  return { ...prices, prompt: maxNano(prices.prompt, prices.cachedPrompt) };
}

function costOf(input: DrawInput, completion: number): Nano {
  return priceOf(worstPrices(input.prices), {
    prompt: input.promptEstimate,
    completion,
    cached: 0,
  });
}

/** The worst case of a request and its minimum. */
export function planDraw(input: DrawInput): DrawPlan {
  const worst = costOf(input, input.maxTokens ?? input.completionTokensMax);
  if (input.maxTokens !== undefined) return { worst, minimum: worst };
  const tokensMin = Math.min(CAPPED_TOKENS_MIN, input.completionTokensMax);
  return { worst, minimum: costOf(input, tokensMin) };
}

/**
 * The max_tokens to send for a request that drew `drawn`: the caller's own, nothing when the draw
 * covers the model's cap, otherwise what the draw pays. A draw below the minimum is refused with
 * INSUFFICIENT_BALANCE.
 */
export function tokensCoveredBy(input: DrawInput, drawn: Nano): number | undefined {
  const plan = planDraw(input);
  if (drawn < plan.minimum) throw new AppError('INSUFFICIENT_BALANCE');
  if (drawn >= plan.worst) return input.maxTokens;
  const prices = worstPrices(input.prices);
  // Exact before the one rounding up, so that prompt and tokens together never pass the draw.
  const spare = drawn * TOKENS_PER_PRICE_UNIT - BigInt(input.promptEstimate) * prices.prompt;
  return Math.min(Number(spare / prices.completion), input.completionTokensMax);
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
