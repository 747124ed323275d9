import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';

/** One instance of completion as this gateway knows it. */
export interface InstanceState {
  readonly address: string;
  /** False while it is away, shuts down or takes no work. */
  readonly available: boolean;
}

/** The parts of one request to completion, whatever carries it. */
export interface CompletionCall {
  readonly requestId: string;
  readonly accountId: string;
  readonly traceparent: string;
  /** How long each instance that is asked may take; then the request fails with UPSTREAM_TIMEOUT. */
  readonly deadlineMs: number;
}

/** A question whether the request would be taken. */
export interface ExplainCall extends CompletionCall {
  /** Its answer was made before: it is given again though no instance has room for the request. */
  readonly isReplay?: boolean;
}

/**
 * The instance certainly began nothing of the request, so that another may be asked. Any other
 * SERVICE_UNAVAILABLE of a broken connection leaves that open and is not to be repeated.
 */
export class NotBegunError extends AppError {
  constructor(internalMessage: string, cause?: unknown) {
    super('SERVICE_UNAVAILABLE', { internalMessage, cause });
  }
}

/**
 * The requests that wait to be sent leave no room for this one. A shorter one may find it, and the
 * instance works.
 */
export class QueueFullError extends NotBegunError {
  constructor() {
    super('too much waits to be sent to completion');
  }
}

/** No instance can be sent the request, so that none began anything of it. */
export class RequestTooLongError extends AppError {
  constructor() {
    super('PAYLOAD_TOO_LARGE', { internalMessage: 'the request is longer than a frame may be' });
  }
}

/**
 * Hears what becomes of one request. A streamed answer is a head, chunks and an end; a whole answer
 * is an end alone. There is exactly one end, and nothing after it.
 */
export interface CompletionListener {
  readonly onHead: (head: completionV1.StreamHead) => void;
  /**
   * The events that came together, each the JSON array of its `choices`. False stops this request's
   * chunks until `resume`, and after a bounded buffer its upstream; it delays no other request.
   */
  readonly onChunk: (events: readonly Buffer[]) => boolean;
  /** Also after `cancel`. Never called before `open` has returned. */
  readonly onEnd: (end: CompletionEnd) => void;
}

/** How a request ended. */
export type CompletionEnd =
  | { readonly kind: 'whole'; readonly answer: completionV1.CompleteResponse }
  | { readonly kind: 'streamed'; readonly usage: completionV1.Usage; readonly amount: bigint }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The head of a stream that failed before its head came; one that ends well always had one. */
export const EMPTY_HEAD: completionV1.StreamHead = {
  model: '',
  created: 0n,
  attempts: 0,
  channelId: '',
};

/** The usage of an answer that names none. */
export const NO_USAGE: completionV1.Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  promptAudioTokens: 0,
  completionAudioTokens: 0,
};

/** The failure in an end that is not the one that was asked for. */
export function failureOfEnd(end: CompletionEnd): AppError {
  if (end.kind === 'failed') return end.error;
  return new AppError('INTERNAL_ERROR', { internalMessage: `${end.kind} was not asked for` });
}

/** A request that is under way. */
export interface CompletionHandle {
  /** The reader takes chunks again. */
  resume(): void;
  /** Ends the work upstream at once. */
  cancel(): void;
}

/** The port to one completion instance, or to all of them. */
export interface CompletionClient {
  /** False while the instance is away, shuts down or takes no work: others are asked first. */
  readonly available: boolean;
  /** Throws SERVICE_UNAVAILABLE when nothing more is taken at all. */
  open(
    request: CompletionToOpen,
    call: CompletionCall,
    listener: CompletionListener,
  ): CompletionHandle;
  /** Ranks the candidates without calling or charging anything. */
  explain(
    request: completionV1.ExplainRouteRequest,
    call: ExplainCall,
  ): Promise<completionV1.ExplainRouteResponse>;
  /** Counts the prompt without calling or charging anything. */
  countTokens(
    input: completionV1.CompletionInput,
    call: CompletionCall,
  ): Promise<completionV1.CountTokensResponse>;
  /** How long a vendor may take at a channel that says nothing else. */
  defaultTimeouts(call: CompletionCall): Promise<completionV1.GetDefaultTimeoutsResponse>;
  /** The requests that run, of one account or by a name. */
  listActive(
    sought: completionV1.ListActiveRequestsRequest,
    call: CompletionCall,
  ): Promise<ActiveRequests>;
  /** Takes no new request; at the deadline what still runs ends with SERVICE_UNAVAILABLE. */
  drain(deadlineMs: number): Promise<void>;
  close(): void;
}

/** What runs at one instance, or at all that answered. */
export interface ActiveRequests extends completionV1.ListActiveRequestsResponse {
  /** Addresses of the instances that did not answer. */
  readonly silent: readonly string[];
}

/** The request, and whether it is answered in pieces. */
export interface CompletionToOpen {
  readonly input: completionV1.CompletionInput;
  readonly stream: boolean;
}
