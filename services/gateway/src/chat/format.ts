import type { AppError, JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { z } from 'zod';
import type { ChatRequest } from './request';

/**
 * A wire format of completions: how a request is read, and how its answer, the frames of
 * its stream and its failures are written. Whatever answers completions knows them by this port alone.
 */
export interface ChatFormat {
  /** Unlike every other format's: kept answers are stored under it. */
  readonly name: string;
  /** What the API's document says; the request's schema holds the rules of `parse`. */
  readonly document: {
    readonly summary: string;
    readonly request: z.ZodType;
    readonly answer: z.ZodType;
    /** Where its failures have another body than those of all other paths. */
    readonly failure?: z.ZodType;
    /** It is never streamed. */
    readonly whole?: true;
  };
  /** Where client libraries look for the request's id; `X-Request-Id` is there always. */
  readonly requestIdHeader?: string;
  /** The frame that a silent stream sends so that nobody takes it for dead. */
  readonly keepAlive: string;
  /** Checks a parsed body; throws VALIDATION_ERROR that names the first field at fault. */
  readonly parse: (body: unknown) => ChatRequest;
  /** The body of a whole answer, as a promise where it is long; `echo` is that of the request. */
  answer(
    requestId: string,
    answer: completionV1.CompleteResponse,
    echo?: JsonObject,
  ): Buffer | Promise<Buffer>;
  /** The frames of one stream; what is the same in all of them is written once. */
  frames(requestId: string, head: completionV1.StreamHead, echo?: JsonObject): ChatFrames;
  /** The JSON body of a failure that has a status of its own. */
  readonly failureBody: (error: AppError) => string;
}

/** Writes the frames of one stream. */
export interface ChatFrames {
  /** One write for all events that came together. */
  chunk(events: readonly Buffer[]): Buffer;
  /** The last bytes: the usage when it was asked for, and the end marker. */
  end(usage: completionV1.Usage | undefined): Buffer;
  /** A failure after the head: the last frames, without an end marker. */
  fail(error: AppError): Buffer;
}
