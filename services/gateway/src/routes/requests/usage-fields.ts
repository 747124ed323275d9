import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';

/** Tokens in an answer, of one request or of many. */
export const tokenFields = {
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int().describe('Of the prompt, put into a cache.'),
  reasoning_tokens: z.int().describe('Of the completion, what was thought.'),
  prompt_audio_tokens: z.int().describe('Of the prompt, what was audio.'),
  completion_audio_tokens: z.int().describe('Of the completion, what was audio.'),
};

/** Tokens that older usage records say nothing of. */
export function rareTokensOf(record: billingV1.UsageRecord__Output) {
  return {
    cache_write_tokens: record.cacheWriteTokens ?? 0,
    reasoning_tokens: record.reasoningTokens ?? 0,
    prompt_audio_tokens: record.promptAudioTokens ?? 0,
    completion_audio_tokens: record.completionAudioTokens ?? 0,
  };
}

/** Prices of tokens in an answer. */
export const priceFields = {
  prompt: amount,
  completion: amount,
  cached_prompt: amount,
  cache_write: amount,
};

/** From nano-units; where writing a cache has no price of its own it costs what the prompt does. */
export function toPrices({ prompt, completion, cachedPrompt, cacheWrite }: PricesInNano) {
  return {
    prompt: toAmount(prompt),
    completion: toAmount(completion),
    cached_prompt: toAmount(cachedPrompt),
    cache_write: toAmount(cacheWrite ?? prompt),
  };
}

interface PricesInNano {
  readonly prompt: string;
  readonly completion: string;
  readonly cachedPrompt: string;
  readonly cacheWrite?: string | undefined;
}
