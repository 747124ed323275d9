import { type AppError, formatAmount, type JsonObject, nano } from '@tollgate/core';
import {
  type CompletionEnd,
  type CompletionHandle,
  type CompletionListener,
  failureOfEnd,
} from '../clients/completion/client';
import { type HttpExchange, JSON_TYPE } from '../http/exchange';
import type { ByteBudget } from '../limits/byte-budget';
import type { CountedIn } from '../limits/limiter';
import type { ChatFormat } from './format';

/** How an answered request counts against the limits, and how it ended. */
export interface ChatOutcome {
  readonly countedIn: CountedIn;
  readonly ended: 'answered' | 'streamed' | 'client_gone' | 'failed';
  /** A failure that went out as a frame of a stream that was already open. */
  readonly error?: AppError;
  /** Resolves when nothing is done for the request any more; absent when that is so already. */
  readonly finished?: Promise<void>;
}

/** A client that left while its answer was made: the work was done all the same. */
export const CLIENT_GONE: ChatOutcome = { countedIn: 'minute_and_day', ended: 'client_gone' };

/** Who made an answer. */
export interface AnswerOrigin {
  readonly attempts: number;
  readonly channelId: string;
}

export interface AnswerContext {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  /** The id that the answer bears: of the request, or of the one whose answer it was first. */
  readonly answerId: string;
  /** Of the request. */
  readonly echo: JsonObject | undefined;
  readonly headersOf: (origin: AnswerOrigin) => Readonly<Record<string, string>>;
  /** Sends the request to completion. */
  readonly open: (listener: CompletionListener) => CompletionHandle;
}

/**
 * Answers in one piece; rejects with the failure. `readers` counts what its client does not take.
 */
export async function wholeAnswer(
  context: AnswerContext,
  readers: ByteBudget,
): Promise<ChatOutcome> {
  const { answerId, echo, exchange, format, headersOf } = context;
  const { headers } = exchange;
  const { promise, resolve } = Promise.withResolvers<CompletionEnd | 'gone'>();
  const running = context.open({ onHead() {}, onChunk: () => true, onEnd: resolve });
  let waiting = true;
  exchange.onClose(() => {
    if (!waiting) return;
    running.cancel();
    resolve('gone');
  });
  const end = await promise;
  waiting = false;
  if (end === 'gone') return CLIENT_GONE;
  if (end.kind !== 'answered') throw failureOfEnd(end);
  Object.assign(headers, headersOf(end.answer));
  headers['X-Tollgate-Cost'] = formatAmount(nano(end.answer.amount));
  exchange.send(200, JSON_TYPE, await format.answer(answerId, end.answer, echo));
  countHeld(exchange, readers);
  return { countedIn: 'minute_and_day', ended: 'answered' };
}

/**
 * Counts the answer until its client has taken all of it. One that takes a byte now and then is
 * never cut as silent; without room in the budget it is, because its bytes are the other readers'.
 */
function countHeld({ onClose, response }: HttpExchange, readers: ByteBudget): void {
  if (response.writableLength <= response.writableHighWaterMark) return;
  // By then the socket has what it takes at once.
  setImmediate(() => {
    if (response.closed) return;
    const held = response.writableLength;
    onClose(() => readers.release(held));
    if (!readers.add(held)) response.destroy();
  });
}
