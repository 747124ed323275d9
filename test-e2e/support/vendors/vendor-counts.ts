/** What every answer counts, in our words: cached tokens are a part of the prompt. */
export const VENDOR_COUNTS = { prompt: 23, cached: 7, completion: 11 } as const;

/** Parts of the same counts; Anthropic's protocol has no word for them. */
export const VENDOR_AUDIO = { prompt: 5, completion: 3 } as const;

/** The prompt of it in Anthropic's words. */
export const ANTHROPIC_INPUT = {
  input_tokens: VENDOR_COUNTS.prompt - VENDOR_COUNTS.cached,
  cache_read_input_tokens: VENDOR_COUNTS.cached,
  cache_creation_input_tokens: 0,
};

/** All of it in Gemini's. */
export const GEMINI_USAGE = {
  promptTokenCount: VENDOR_COUNTS.prompt,
  cachedContentTokenCount: VENDOR_COUNTS.cached,
  candidatesTokenCount: VENDOR_COUNTS.completion - 4,
  thoughtsTokenCount: 4,
  promptTokensDetails: [{ modality: 'AUDIO', tokenCount: VENDOR_AUDIO.prompt }],
  candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: VENDOR_AUDIO.completion }],
};

/** All of it in OpenAI's. */
export const OPENAI_USAGE = {
  prompt_tokens: VENDOR_COUNTS.prompt,
  completion_tokens: VENDOR_COUNTS.completion,
  prompt_tokens_details: {
    cached_tokens: VENDOR_COUNTS.cached,
    audio_tokens: VENDOR_AUDIO.prompt,
  },
  completion_tokens_details: { audio_tokens: VENDOR_AUDIO.completion },
};
