import type { FinishReason } from '@tollgate/core';

/** A map: a vendor may say `constructor`, which every object has. */
const KNOWN: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries({
    stop: 'stop',
    length: 'length',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    content_filter: 'content_filter',
    safety: 'content_filter',
    refusal: 'content_filter',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    tool_use: 'tool_calls',
  } as const),
);

/** One of our four words for whatever a vendor calls the end of an answer. */
export function normaliseFinishReason(reason: string): FinishReason {
  return KNOWN.get(reason.toLowerCase()) ?? 'stop';
}
