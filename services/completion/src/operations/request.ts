import type { Nano } from '@tollgate/core';
import type { KeyBudget } from '../domain/lease-ref';
import type { CallParameters, Embedding } from '../domain/vendor';
import { BYTES_PER_TOKEN_USUAL, mediaTokensUsual, type PromptMedia } from '../usage/estimate';

/** Who asks, as the gateway established it. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly userId: string | undefined;
  readonly operator: boolean;
  /** Empty means every model. */
  readonly models: readonly string[];
  /** Models that the account may use, whatever its keys say; empty means every one. */
  readonly accountModels: readonly string[];
  /** Taken off the unit prices: hundredths of a percent, below 0 a mark-up. */
  readonly discount: number;
  /** Channel groups that the key is narrowed to; empty means all that the account was granted. */
  readonly keyGroups: readonly string[];
  /** Channel groups that the operator granted to the account. */
  readonly grantedGroups: readonly string[];
  readonly budget: KeyBudget | undefined;
}

/** One completion, whichever way it came. */
export interface CompletionRequest {
  readonly requestId: string;
  /** Of the span that vendor calls belong to, or the client's own; absent when there is none. */
  readonly traceparent?: string | undefined;
  readonly clientRequestId: string | undefined;
  /** What the request left of its limits, as its client was told; for its record alone. */
  readonly limitsLeft?: string | undefined;
  /** What was ignored of its body, by name, for its record. */
  readonly ignoredMembers?: string | undefined;
  readonly caller: Caller;
  /** As asked: a concrete name, a routing name or POOL:NAME. */
  readonly model: string;
  /** Names that are tried after it, in order. */
  readonly fallbackModels: readonly string[];
  readonly messages: Buffer;
  readonly messageCount: number;
  readonly media: PromptMedia;
  readonly parameters: CallParameters;
  readonly maxTokens: number | undefined;
  readonly capabilities: readonly string[];
  readonly capabilityParam: string;
  /** Answers that are asked for at once (`n`): each is generated, and charged. */
  readonly choices: number;
  /** Undefined in a completion; otherwise `messages` are texts, and each becomes a vector. */
  readonly embedding: Embedding | undefined;
  /** The most that the client lets the request cost; undefined leaves it to the balance. */
  readonly costMax: Nano | undefined;
  /** Its answer is kept: what comes after its client has left is the client's to fetch. */
  readonly isKept?: boolean;
  /** How long the client still waits. */
  readonly deadlineMs: number;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** UTF-8 bytes of every text that becomes the vendor's prompt. */
export function promptTextBytesOf({ media, messages, parameters }: CompletionRequest): number {
  return messages.length - media.bytes + parameters.capabilityMembers.length;
}

/** Bytes of the prompt, with images and files as the bytes of text that has as many tokens. */
export function promptWeightOf(request: CompletionRequest): number {
  return promptTextBytesOf(request) + BYTES_PER_TOKEN_USUAL * mediaTokensUsual(request.media);
}

/** Where an answer came from, for its metadata. */
export interface AnswerHead {
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly attempts: number;
  readonly channelId: string;
}

/** Token counts of an answer, as the client sees them. */
export interface AnswerUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** Of the prompt's, those that the vendor put into its cache. */
  readonly cacheWriteTokens: number;
  /** Of the completion's, those that were thought. */
  readonly reasoningTokens: number;
  /** Of the prompt's and of the completion's, those of audio. */
  readonly promptAudioTokens: number;
  readonly completionAudioTokens: number;
}
