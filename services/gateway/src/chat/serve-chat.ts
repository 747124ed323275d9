import {
  asObject,
  type Clock,
  type FairShare,
  formatAmount,
  nano,
  REQUESTED_MODEL_LENGTH_MAX,
  toAppError,
} from '@tollgate/core';
import { actsAsOperator, type Principal } from '../auth/principal';
import type { ByteBound } from '../bounds/byte-bound';
import type { LargeBodyTurns } from '../bounds/large-body-turns';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionEnd,
  failureOfEnd,
} from '../clients/completion/client';
import { readBody, requireJsonBody, roomOf } from '../http/body';
import { JSON_TYPE } from '../http/content-types';
import type { HttpExchange } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import type { SseBounds } from '../http/sse';
import { createUnreadBytes } from '../http/unread-bytes';
import type { Admission } from '../limits/admission';
import type { CountedIn, Permit } from '../limits/limiter';
import type { GatewayMetrics } from '../metrics';
import { countsInDay } from '../refusals/counts-in-day';
import {
  type AnswerContext,
  type AnswerOrigin,
  type AnswerSource,
  type ChatOutcome,
  CLIENT_GONE,
  LEFT_EARLY,
} from './answer';
import type { ChatFormat } from './format';
import { readKeeping } from './kept-answers/keeping-headers';
import { type AnnounceDependencies, openKept } from './kept-answers/kept-answer';
import { type PrincipalAndPlan, toCompletionInput } from './request';
import { streamAnswer } from './stream-answer';

/** What serving a completion needs, besides what keeping an answer does. */
export interface ServeChatDependencies extends AnnounceDependencies {
  readonly admission: Admission;
  readonly metrics: Pick<GatewayMetrics, 'chatBroken'>;
  readonly client: CompletionClient;
  readonly clock: Clock;
  readonly stream: SseBounds;
  readonly deadlineMs: number;
  readonly body: { readonly bytesMax: number; readonly depthMax: number };
  /** The bytes that the bodies of all requests may hold, by account or network. */
  readonly bodies: FairShare;
  readonly largeBodies: LargeBodyTurns;
}

/**
 * Answers one completion of whatever path; rejects with an AppError while no byte has left. Refusals
 * come in one order: 415 and 413, 429, 400, and then what completion finds. Up to and including 429
 * no byte of the body is read.
 */
export async function serveChat(
  deps: ServeChatDependencies,
  exchange: HttpExchange,
  principal: Principal,
  format: ChatFormat,
): Promise<void> {
  const { bodies, body, largeBodies, metrics } = deps;
  requireJsonBody(exchange.request, body.bytesMax);
  const answered = deps.admission.admit(principal);
  const decision = answered instanceof Promise ? await answered : answered;
  Object.assign(exchange.headers, decision.headers);
  if ('refused' in decision) throw decision.refused;
  let countedIn: CountedIn = 'minute_and_day';
  const work: Work = { finished: undefined };
  try {
    const { accountId } = principal;
    const room = roomOf(bodies, accountId);
    const bytes = await readBody(exchange, body.bytesMax, {
      take: room.take,
      release: (count) => whenFinished(work, () => room.release(count)),
    });
    const turn = largeBodies.wait(accountId, bytes.length, exchange.onClose);
    const endTurn = turn === undefined ? undefined : await turn;
    const { plan, limitsLeft } = decision;
    const admitted = { exchange, principal, format, plan, limitsLeft, work };
    const answering = answerChat(deps, admitted, bytes);
    endTurn?.();
    const outcome = await answering;
    countedIn = outcome.countedIn;
    const { ended, error } = outcome;
    if (ended === 'client_gone' || ended === 'failed') metrics.chatBroken(ended);
    exchange.failure ??= error;
  } catch (error) {
    const failure = toAppError(error);
    // What failed before it was asked for never finishes.
    work.finished = undefined;
    countedIn = countsInDay(failure) ? 'minute_and_day' : 'minute';
    throw failure;
  } finally {
    whenFinished(work, () => releaseAtEnd(exchange, decision.permit, countedIn));
  }
}

/** What is done for a request, which may outlast its client. */
interface Work {
  /** Resolves when nothing is done any more; undefined for work that ends with its client. */
  finished: Promise<void> | undefined;
}

/** Permit and body of a request are held while its answer is made, though its client has left. */
function whenFinished({ finished }: Work, release: () => void): void {
  if (finished === undefined) release();
  else void finished.then(release);
}

/** A request is in flight until its last byte has left, and until its answer is made. */
function releaseAtEnd(
  { response, onClose }: HttpExchange,
  permit: Permit,
  countedIn: CountedIn,
): void {
  if (response.closed) permit.release(countedIn);
  else onClose(() => permit.release(countedIn));
}

/** A request that has its permit, before its body is parsed. */
interface AdmittedExchange extends PrincipalAndPlan {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  readonly limitsLeft: string;
  readonly work: Work;
}

/**
 * Answers an admitted request, whole or as a stream; rejects with the failure while no byte has left.
 * Parsing, and without a kept answer also the hand-over to completion, happens synchronously at the
 * call: the caller ends its large-body turn as soon as it has the promise. A kept answer is
 * announced to billing first.
 */
async function answerChat(
  deps: ServeChatDependencies,
  { exchange, principal, plan, format, limitsLeft, work }: AdmittedExchange,
  bytes: Buffer,
): Promise<ChatOutcome> {
  // 'close' was already emitted: a listener added now would never fire, and cancel nothing.
  if (exchange.response.destroyed) return LEFT_EARLY;
  const { client, clock, deadlineMs } = deps;
  const { depthMax } = deps.body;
  const body = parseJsonText(bytes, { depthMax, refuseDuplicates: false });
  // Before the rest is checked: a refusal tells which model was asked for.
  exchange.requestedModel = modelIn(body);
  const request = format.parse(body);
  if (request.ignored !== undefined) {
    exchange.headers['X-Tollgate-Ignored'] = request.ignored.names.join(', ');
    exchange.ignored = request.ignored.inWords;
  }
  const keeping = readKeeping(exchange.request.headers);
  const input = toCompletionInput(request, { principal, plan }, exchange, limitsLeft);
  const { accountId } = principal;
  const { requestId, traceparent } = exchange;
  const call: CompletionCall = { requestId, accountId, traceparent, deadlineMs };
  const own: AnswerSource = {
    answerId: requestId,
    open: (listener) => client.open({ input, stream: request.stream }, call, listener),
  };
  const kept = { exchange, plan, format, request, bytes, call, input };
  const source = keeping === undefined ? own : await openKept(deps, own, { ...kept, keeping });
  if (source === undefined) return LEFT_EARLY;
  work.finished = source.finished;
  const context: AnswerContext = {
    exchange,
    format,
    echo: request.echo,
    ...source,
    headersOf: (origin) => originHeaders(origin, principal),
  };
  const { includeUsage } = request;
  return request.stream
    ? streamAnswer({ ...context, includeUsage, clock, bounds: deps.stream })
    : wholeAnswer(context, deps.stream.unreadBytes);
}

/** The name in the body's `model`, where every format has it; undefined when it can be none. */
function modelIn(body: unknown): string | undefined {
  const model = asObject(body)?.model;
  const isName = typeof model === 'string' && model.length <= REQUESTED_MODEL_LENGTH_MAX;
  return isName ? model : undefined;
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
 * Answers in one piece; rejects with the failure. `unreadBytes` counts what its client does not take.
 */
export async function wholeAnswer(
  context: AnswerContext,
  unreadBytes: ByteBound,
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
  if (end.kind !== 'whole') throw failureOfEnd(end);
  Object.assign(headers, headersOf(end.answer));
  headers['X-Tollgate-Cost'] = formatAmount(nano(end.answer.amount));
  exchange.send(200, JSON_TYPE, await format.answer(answerId, end.answer, echo));
  createUnreadBytes(exchange, unreadBytes).countEnd();
  return { countedIn: 'minute_and_day', ended: 'whole' };
}
