import type { TokenCounts } from '@tollgate/core';

/** Token counts as a vendor reported them: any JSON value may stand in each place. */
export interface VendorUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly cached: unknown;
}

/** What a believable report must agree with. */
export interface UsageBounds {
  /** UTF-8 bytes of everything that was sent as prompt. */
  readonly promptBytes: number;
  readonly messageCount: number;
  /** What the model may generate for the request, reasoning that nobody sees included. */
  readonly completionTokensMax: number;
  /** Whether any text was received. */
  readonly receivedText: boolean;
}

const TOKENS_PER_MESSAGE_MAX = 32;
const HIDDEN_PROMPT_TOKENS_MAX = 4096;

/**
 * The vendor's counts when they make sense, undefined when they must be replaced by a count of the
 * text: negative, no integers, more than the request can have cost, or nothing where text came.
 */
export function acceptUsage(
  usage: VendorUsage | undefined,
  bounds: UsageBounds,
): TokenCounts | undefined {
  if (usage === undefined) return undefined;
  const prompt = countOf(usage.prompt);
  const completion = countOf(usage.completion);
  if (prompt === undefined || completion === undefined) return undefined;
  // A tokenizer makes at most one token of a byte; vendors add some of their own.
  const promptMax =
    bounds.promptBytes + TOKENS_PER_MESSAGE_MAX * bounds.messageCount + HIDDEN_PROMPT_TOKENS_MAX;
  if (prompt === 0 || prompt > promptMax) return undefined;
  if (completion > bounds.completionTokensMax) return undefined;
  if (completion === 0 && bounds.receivedText) return undefined;
  const cached = countOf(usage.cached) ?? 0;
  return { prompt, completion, cached: Math.min(cached, prompt) };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
