import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';

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
