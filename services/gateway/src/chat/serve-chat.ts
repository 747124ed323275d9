import { type AppError, type Clock, type ErrorCode, type Logger, toAppError } from '@tollgate/core';
import { actsAsOperator, type Principal } from '../auth/principal';
import type { CompletionCall, CompletionClient } from '../clients/completion/client';
import type { ControlPlane } from '../clients/control-plane';
import { readBody, requireJsonBody } from '../http/body';
import type { HttpExchange } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import type { SseBounds } from '../http/sse';
import type { Admission } from '../limits/admission';
import type { ByteBudget } from '../limits/byte-budget';
import type { DenialCounter } from '../limits/denials';
import type { LargeBodyTurns } from '../limits/large-body-turns';
import type { CountedIn, Permit } from '../limits/limiter';
import type { GatewayMetrics } from '../metrics';
import { type AnswerContext, type AnswerOrigin, type ChatOutcome, wholeAnswer } from './answer';
import { createDropAnnouncement, type DropAnnouncement } from './dropped-announcements';
import type { ChatFormat } from './format';
import { readKeeping } from './keeping-headers';
import { type AnswerSource, openKept } from './kept-answer';
import { type PrincipalAndPlan, toCompletionInput } from './request';
import { streamAnswer } from './stream';

export interface ServeChatDependencies {
  readonly admission: Admission;
  readonly denials: DenialCounter;
  readonly client: CompletionClient;
  /** Keeps answers. */
  readonly billing: ControlPlane['billing'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'chatBroken'>;
  readonly stream: SseBounds;
  readonly deadlineMs: number;
  readonly body: { readonly bytesMax: number; readonly depthMax: number };
  /** The bytes that the bodies of all requests may hold. */
  readonly bodies: ByteBudget;
  readonly largeBodies: LargeBodyTurns;
}

/** Answers one completion; rejects with an AppError while no byte has left. */
export type ServeChat = (
  exchange: HttpExchange,
  principal: Principal,
  format: ChatFormat,
) => Promise<void>;

/**
 * All completion paths. Refusals come in one order: 415 and 413, 429, 400, and then what completion
 * finds. Up to and including 429 no byte of the body is read.
 */
export function createServeChat(deps: ServeChatDependencies): ServeChat {
  const { bodies, body, largeBodies, metrics } = deps;
  const answerDeps = { ...deps, dropAnnouncement: createDropAnnouncement(deps) };
  const { admit } = deps.admission;
  return async (exchange, principal, format) => {
    requireJsonBody(exchange.request, body.bytesMax);
    const answered = admit(principal);
    const decision = answered instanceof Promise ? await answered : answered;
    Object.assign(exchange.headers, decision.headers);
    if ('refused' in decision) throw decision.refused;
    let countedIn: CountedIn = 'minute_and_day';
    let finishing: Promise<void> | undefined;
    try {
      const ownBytes = bodies.ofOwner(principal.accountId);
      const bytes = await readBody(exchange, body.bytesMax, ownBytes);
      const turn = largeBodies.wait(principal.accountId, bytes.length, exchange.onClose);
      const endTurn = turn === undefined ? undefined : await turn;
      const { plan, limitsLeft } = decision;
      const admittedExchange = { exchange, principal, format, plan, limitsLeft };
      const answering = answer(answerDeps, admittedExchange, bytes);
      endTurn?.();
      const outcome = await answering;
      countedIn = outcome.countedIn;
      finishing = outcome.finished;
      const { ended, error } = outcome;
      if (ended === 'client_gone' || ended === 'failed') metrics.chatBroken(ended);
      exchange.failure ??= error;
    } catch (error) {
      const failure = toAppError(error);
      countedIn = isOutOfTheDay(failure) ? 'minute' : 'minute_and_day';
      countDenial(deps.denials, principal, failure);
      if (isUnserved(failure, exchange)) {
        deps.denials.count(principal.accountId, principal.keyId || undefined, 'unserved');
      }
      throw failure;
    } finally {
      const release = () => releaseAtEnd(exchange, decision.permit, countedIn);
      if (finishing === undefined) release();
      else void finishing.then(release);
    }
  };
}

/** A request that has its permit, before its body is parsed. */
interface AdmittedExchange extends PrincipalAndPlan {
  readonly exchange: HttpExchange;
  readonly format: ChatFormat;
  readonly limitsLeft: string;
}

/**
 * Parsing, and without a kept answer also the hand-over to completion, happens synchronously at the
 * call: the caller ends its large-body turn as soon as it has the promise. A kept answer is
 * announced to billing first.
 */
async function answer(
  deps: ServeChatDependencies & { readonly dropAnnouncement: DropAnnouncement },
  { exchange, principal, plan, format, limitsLeft }: AdmittedExchange,
  bytes: Buffer,
): Promise<ChatOutcome> {
  // 'close' was already emitted: a listener added now would never fire, and cancel nothing.
  if (exchange.response.destroyed) return { countedIn: 'minute', ended: 'client_gone' };
  const { client, clock, deadlineMs } = deps;
  const { depthMax } = deps.body;
  const request = format.parse(parseJsonText(bytes, { depthMax, refuseDuplicates: false }));
  exchange.requestedModel = request.model;
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
  const context: AnswerContext & AnswerSource = {
    exchange,
    format,
    echo: request.echo,
    ...(keeping === undefined ? source : await openKept(deps, source, { ...kept, keeping })),
    headersOf: (origin: AnswerOrigin) => originHeaders(origin, principal),
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

/** Failures after which the request does not count against the limit of the day. */
const NOT_OF_THE_DAY: ReadonlySet<string> = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'CONTEXT_LENGTH_EXCEEDED',
  'CONTENT_POLICY',
  'PAYLOAD_TOO_LARGE',
  'NOT_FOUND',
  'FORBIDDEN',
  'INSUFFICIENT_BALANCE',
  'KEY_BUDGET_EXCEEDED',
  'COST_LIMIT',
  'RATE_LIMIT_EXCEEDED',
  'CONFLICT',
  'IDEMPOTENCY_MISMATCH',
]);

/** Refused before a vendor was asked. */
export function isRefusedRequest(failure: AppError): boolean {
  return isOutOfTheDay(failure) && !failure.recorded;
}

/**
 * True when the request does not count against the limit of the day. A 503 only when it may be
 * repeated: then it cost nothing.
 */
function isOutOfTheDay({ code, retryable }: AppError): boolean {
  return code === 'SERVICE_UNAVAILABLE' ? retryable : NOT_OF_THE_DAY.has(code);
}

/**
 * Refusals for want of money or of a right; those of the limits are counted where they are made,
 * and completion's bound of abandoned answers is no denial (docs/runbooks/answers-abandoned.md).
 */
function countDenial(denials: DenialCounter, principal: Principal, { code }: AppError): void {
  const { accountId, keyId } = principal;
  if (code === 'INSUFFICIENT_BALANCE') denials.count(accountId, undefined, 'balance');
  if (code === 'KEY_BUDGET_EXCEEDED') denials.count(accountId, keyId, 'budget');
  if (code === 'FORBIDDEN') denials.count(accountId, keyId, 'forbidden');
}

/** It failed and has no usage record. Who left meanwhile was not there to be served. */
function isUnserved({ code, recorded }: AppError, { response }: HttpExchange): boolean {
  return code === 'SERVICE_UNAVAILABLE' && !recorded && !response.destroyed;
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
