import type { TokenCounts } from '@tollgate/core';

/** Token counts as a vendor reported them: any JSON value may stand in each place. */
export interface VendorUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly cached: unknown;
  /** Of the prompt's, those that were put into the cache, where the vendor says. */
  readonly cacheWrite?: unknown;
  /** Of the completion's, where the vendor says. */
  readonly reasoning?: unknown;
  /** Of the prompt's and of the completion's, those of audio, where the vendor says. */
  readonly promptAudio?: unknown;
  readonly completionAudio?: unknown;
}

/** A report that makes sense. */
export interface AcceptedUsage extends TokenCounts {
  readonly cacheWrite: number;
  /** Of the completion's, those that were thought. */
  readonly reasoning: number;
  /** Of the prompt's and of the completion's, those of audio. */
  readonly promptAudio: number;
  readonly completionAudio: number;
}

/** The bounds that a believable report keeps. */
export interface UsageBounds {
  /** UTF-8 bytes of everything that was sent as prompt, the data of media excepted. */
  readonly promptTextBytes: number;
  /** The count that vendors may have for images and files. */
  readonly mediaTokensMax: number;
  readonly messageCount: number;
  /** The most that the model may generate for the request, reasoning that nobody sees included. */
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
): AcceptedUsage | undefined {
  if (usage === undefined) return undefined;
  const prompt = countOf(usage.prompt);
  const completion = countOf(usage.completion);
  if (prompt === undefined || completion === undefined) return undefined;
  // A tokenizer makes at most one token of a byte; vendors add some of their own.
  const promptMax =
    bounds.promptTextBytes +
    bounds.mediaTokensMax +
    TOKENS_PER_MESSAGE_MAX * bounds.messageCount +
    HIDDEN_PROMPT_TOKENS_MAX;
  if (prompt === 0 || prompt > promptMax) return undefined;
  if (completion > bounds.completionTokensMax) return undefined;
  if (completion === 0 && bounds.receivedText) return undefined;
  const cached = Math.min(countOf(usage.cached) ?? 0, prompt);
  const cacheWrite = Math.min(countOf(usage.cacheWrite) ?? 0, prompt - cached);
  const reasoning = Math.min(countOf(usage.reasoning) ?? 0, completion);
  const promptAudio = Math.min(countOf(usage.promptAudio) ?? 0, prompt);
  const completionAudio = Math.min(countOf(usage.completionAudio) ?? 0, completion);
  return { prompt, completion, cached, cacheWrite, reasoning, promptAudio, completionAudio };
}

/** The same for the prompt alone, where the vendor counted more, or less, than is charged. */
export function acceptPrompt(
  usage: VendorUsage | undefined,
  bounds: UsageBounds,
): TokenCounts | undefined {
  if (usage === undefined) return undefined;
  return acceptUsage({ ...usage, completion: 0 }, { ...bounds, receivedText: false });
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
