import { type AppError, type Clock, formatAmount, type JsonObject, nano } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { actsAsOperator, type Principal } from '../auth/principal';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionEnd,
  EMPTY_HEAD,
  failureOfEnd,
} from '../clients/completion/client';
import { type HttpExchange, JSON_TYPE } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import { createEventStream, type SseBounds } from '../http/sse';
import type { ByteBudget } from '../limits/byte-budget';
import type { CountedIn } from '../limits/limiter';
import type { ChatFormat, ChatFrames } from './format';
import { readKeeping } from './keeping-headers';
import { type AnnounceDependencies, type AnswerSource, openKept } from './kept-answer';
import { type PrincipalAndPlan, toCompletionInput } from './request';

/** What answering needs, besides what keeping an answer does. */
export interface AnswerDependencies extends AnnounceDependencies {
  readonly client: CompletionClient;
  readonly clock: Clock;
  readonly stream: SseBounds;
  readonly deadlineMs: number;
  readonly body: { readonly depthMax: number };
}

/** How an answered request counts against the limits, and how it ended. */
interface ChatOutcome {
  readonly countedIn: CountedIn;
  readonly ended: 'answered' | 'streamed' | 'client_gone' | 'failed';
  /** A failure that went out as a frame of a stream that was already open. */
  readonly error?: AppError;
  /** Resolves when nothing is done for the request any more; absent when that is so already. */
  readonly finished?: Promise<void>;
}

/** A client that left while its answer was made: the work was done all the same. */
const CLIENT_GONE: ChatOutcome = { countedIn: 'minute_and_day', ended: 'client_gone' };

/** Who made an answer. */
interface AnswerOrigin {
  readonly attempts: number;
  readonly channelId: string;
}

interface AnswerContext extends AnswerSource {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  /** Of the request. */
  readonly echo: JsonObject | undefined;
  readonly headersOf: (origin: AnswerOrigin) => Readonly<Record<string, string>>;
}

/** A request that has its permit, before its body is parsed. */
interface AdmittedExchange extends PrincipalAndPlan {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  readonly limitsLeft: string;
}

/**
 * Answers an admitted request, whole or as a stream; rejects with the failure while no byte has left.
 * Parsing, and without a kept answer also the hand-over to completion, happens synchronously at the
 * call: the caller ends its large-body turn as soon as it has the promise. A kept answer is
 * announced to billing first.
 */
export async function answerChat(
  deps: AnswerDependencies,
  { exchange, principal, plan, format, limitsLeft }: AdmittedExchange,
  bytes: Buffer,
): Promise<ChatOutcome> {
  // 'close' was already emitted: a listener added now would never fire, and cancel nothing.
  if (exchange.response.destroyed) return { countedIn: 'minute', ended: 'client_gone' };
  const { client, clock, deadlineMs } = deps;
  const { depthMax } = deps.body;
  const request = format.parse(parseJsonText(bytes, { depthMax, refuseDuplicates: false }));
  exchange.requestedModel = request.model;
  if (request.ignored !== undefined) {
    exchange.headers['X-Tollgate-Ignored'] = request.ignored.names.join(', ');
    exchange.notUnderstood = request.ignored.inWords;
  }
  const keeping = readKeeping(exchange.request.headers);
  const input = toCompletionInput(request, { principal, plan }, exchange, limitsLeft);
  const { accountId } = principal;
  const { requestId, traceparent } = exchange;
  const call: CompletionCall = { requestId, accountId, traceparent, deadlineMs };
  const source: AnswerSource = {
    answerId: requestId,
    open: (listener) => client.open({ input, stream: request.stream }, call, listener),
  };
  const kept = { exchange, plan, format, request, bytes, call, input };
  const context: AnswerContext = {
    exchange,
    format,
    echo: request.echo,
    ...(keeping === undefined ? source : await openKept(deps, source, { ...kept, keeping })),
    headersOf: (origin) => originHeaders(origin, principal),
  };
  const { includeUsage } = request;
  const outcome = request.stream
    ? await streamAnswer({ ...context, includeUsage, clock, bounds: deps.stream })
    : await wholeAnswer(context, deps.stream.readers);
  return context.finished === undefined ? outcome : { ...outcome, finished: context.finished };
}

/** Which channel answered is the operator's business alone. */
function originHeaders(
  { attempts, channelId }: AnswerOrigin,
  principal: Principal,
): Record<string, string> {
  const headers: Record<string, string> = { 'X-Tollgate-Attempts': String(attempts) };
  if (actsAsOperator(principal) && channelId !== '') headers['X-Tollgate-Channel'] = channelId;
  return headers;
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
 * Counts the answer until its client has taken all of it. A client that takes a byte now and then is
 * never cut as silent, so it is cut when the budget of all readers has no room for what it leaves.
 */
function countHeld({ onClose, response }: HttpExchange, readers: ByteBudget): void {
  if (response.writableLength <= response.writableHighWaterMark) return;
  // A tick later, what the socket takes at once has left.
  setImmediate(() => {
    if (response.closed) return;
    const held = response.writableLength;
    onClose(() => readers.release(held));
    if (!readers.add(held)) response.destroy();
  });
}

interface StreamContext extends AnswerContext {
  readonly includeUsage: boolean;
  readonly clock: Clock;
  readonly bounds: SseBounds;
}

/**
 * Passes one stream on: every event from completion is one write to the client, and what the write
 * says goes back as the answer to the event. Rejects with the failure while no byte has left, so
 * that it becomes a real HTTP status; later it is a frame.
 */
function streamAnswer(context: StreamContext): Promise<ChatOutcome> {
  const { answerId, echo, exchange, format, headersOf } = context;
  const framesOf = (head: completionV1.StreamHead) => format.frames(answerId, head, echo);
  return new Promise((resolve, reject) => {
    let frames: ChatFrames | undefined;
    const running = context.open({
      onHead(head) {
        frames = framesOf(head);
        eventStream.open(headersOf(head));
      },
      onChunk: (events) => frames === undefined || eventStream.write(frames.chunk(events)),
      onEnd(end) {
        if (eventStream.phase === 'over') return;
        if (end.kind === 'streamed') {
          frames ??= framesOf(EMPTY_HEAD);
          eventStream.open({});
          eventStream.end(frames.end(context.includeUsage ? end.usage : undefined));
          resolve({ countedIn: 'minute_and_day', ended: 'streamed' });
          return;
        }
        const error = failureOfEnd(end);
        if (eventStream.phase === 'waiting') {
          eventStream.handBack();
          reject(error);
          return;
        }
        frames ??= framesOf(EMPTY_HEAD);
        eventStream.end(frames.fail(error));
        resolve({ countedIn: 'minute_and_day', ended: 'failed', error });
      },
    });
    const listener = {
      onDrain: () => running.resume(),
      onGone() {
        // First of all: the vendor charges for every token that it makes from now on.
        running.cancel();
        resolve(CLIENT_GONE);
      },
    };
    const { clock, bounds } = context;
    const eventStream = createEventStream(exchange, clock, bounds, listener, format.keepAlive);
  });
}
