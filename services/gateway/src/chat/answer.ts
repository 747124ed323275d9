import type { AppError, JsonObject } from '@tollgate/core';
import type { CompletionHandle, CompletionListener } from '../clients/completion/client';
import type { HttpExchange } from '../http/exchange';
import type { CountedIn } from '../limits/limiter';
import type { ChatFormat } from './format';

/** How an answer comes. */
export interface AnswerSource {
  /** The id that it bears: of the request, or of the one whose answer it was first. */
  readonly answerId: string;
  readonly open: (listener: CompletionListener) => CompletionHandle;
  /** Resolves at the end of an answer that is made though its client leaves; absent for others. */
  readonly finished?: Promise<void>;
}

/** Who made an answer. */
export interface AnswerOrigin {
  readonly attempts: number;
  readonly channelId: string;
}

/** An answer on its way: where it comes from, and how it is told. */
export interface AnswerContext extends AnswerSource {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  /** The echo of the request. */
  readonly echo: JsonObject | undefined;
  readonly headersOf: (origin: AnswerOrigin) => Readonly<Record<string, string>>;
}

/** How an answered request counts against the limits, and how it ended. */
export interface ChatOutcome {
  readonly countedIn: CountedIn;
  readonly ended: 'whole' | 'streamed' | 'client_gone' | 'failed';
  /** A failure that went out as a frame of a stream that was already open. */
  readonly error?: AppError;
}

/** A client that left before anything was begun for it. */
export const LEFT_EARLY: ChatOutcome = { countedIn: 'minute', ended: 'client_gone' };
/** A client that left while its answer was made: the work was done all the same. */
export const CLIENT_GONE: ChatOutcome = { countedIn: 'minute_and_day', ended: 'client_gone' };
