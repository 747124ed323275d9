import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';

/** What travels with one request to completion, whatever carries it. */
export interface CompletionCall {
  readonly requestId: string;
  readonly accountId: string;
  readonly traceparent: string;
  /** How long the caller waits; afterwards the request fails with UPSTREAM_TIMEOUT. */
  readonly deadlineMs: number;
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

/** One request that waits for its whole answer. */
export interface PendingCompletion {
  /** Rejects with an AppError of the error table. */
  readonly answer: Promise<completionV1.CompleteResponse>;
  /** Gives up: the work upstream ends at once, and `answer` rejects. */
  cancel(): void;
}

/** Hears a streamed answer: a head, chunks, then exactly one `onEnd`. */
export interface CompletionListener {
  onHead(head: completionV1.StreamHead): void;
  /** One JSON array per event: the `choices` member of that frame. */
  onChunk(choices: readonly Buffer[]): void;
  /** Either how it ended well, or the failure; also after `cancel`. */
  onEnd(end: StreamOutcome): void;
}

/** How a stream ended. */
export type StreamOutcome =
  | { readonly ok: true; readonly usage: completionV1.Usage; readonly amount: bigint }
  | { readonly ok: false; readonly error: AppError };

/** A running stream. */
export interface CompletionStream {
  /** Stops this stream's chunks, and after a bounded buffer its upstream; delays no other. */
  pause(): void;
  resume(): void;
  /** Ends the work upstream at once. */
  cancel(): void;
}

/** The port to one completion instance. */
export interface CompletionClient {
  /** False while the instance is away, shuts down or takes no work: others are asked first. */
  readonly available: boolean;
  complete(input: completionV1.CompletionInput, call: CompletionCall): PendingCompletion;
  stream(
    input: completionV1.CompletionInput,
    call: CompletionCall,
    listener: CompletionListener,
  ): CompletionStream;
  /** Ranks the candidates without calling or charging anything. */
  explain(
    input: completionV1.CompletionInput,
    call: CompletionCall,
  ): Promise<completionV1.ExplainRouteResponse>;
  /** Takes no new request; at the deadline what still runs ends with SERVICE_UNAVAILABLE. */
  drain(deadlineMs: number): Promise<void>;
  close(): void;
}
