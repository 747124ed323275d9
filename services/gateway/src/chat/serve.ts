import { type AppError, type Clock, formatAmount, nano } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { CompletionCall, CompletionClient } from '../clients/completion-client';
import type { PermitOutcome } from '../domain/limits';
import { actsAsOperator, type Principal } from '../domain/principal';
import { type Exchange, JSON_TYPE } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import type { PresenterName } from '../http/presenter';
import type { ByteBudget } from '../limits/byte-budget';
import type { LargeBodyTurns } from '../limits/large-body-turns';
import { toAnswerBytes } from './formats/openai/answer';
import { fromChatBody } from './formats/openai/request';
import { toCompletionInput } from './request';
import { type StreamTimings, type StreamVerdict, streamAnswer } from './stream';

/** What answering a chat request needs. */
export interface ChatCompletionDependencies {
  readonly client: CompletionClient;
  readonly clock: Clock;
  readonly timings: StreamTimings;
  /** What waits for the readers of all streams. */
  readonly readers: ByteBudget;
  readonly largeBodies: LargeBodyTurns;
  readonly deadlineMs: number;
  readonly depthMax: number;
}

/** How an answered request counts against the limits, and how it ended. */
export interface ChatOutcome {
  readonly permit: PermitOutcome;
  readonly ended: 'answered' | 'streamed' | 'client_gone' | 'failed';
  /** A failure that went out as a frame of a stream that was already open. */
  readonly error?: AppError;
}

/** Answers one chat request; rejects with an AppError while no byte has left. */
export type AnswerChat = (
  exchange: Exchange,
  principal: Principal,
  body: Buffer,
  presenter: PresenterName,
) => Promise<ChatOutcome>;

/** Nothing was done for the caller: the day comes back. */
const REFUSALS: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'CONTEXT_LENGTH_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'NOT_FOUND',
  'FORBIDDEN',
  'INSUFFICIENT_BALANCE',
  'KEY_BUDGET_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
]);

/** How a failed request counts. */
export function permitOutcomeOf(error: AppError): PermitOutcome {
  return REFUSALS.has(error.code) ? 'refused' : 'counted';
}

/** Both completion paths: one handler, whose presenter says what goes around the answer. */
export function createAnswerChat(dependencies: ChatCompletionDependencies): AnswerChat {
  const { client, depthMax, deadlineMs, largeBodies } = dependencies;
  const answer: AnswerChat = async (exchange, principal, body, presenter) => {
    // A client that left before its request went on would never be heard to leave.
    if (exchange.response.destroyed) return { permit: 'refused', ended: 'client_gone' };
    exchange.plain = presenter === 'plain';
    const request = fromChatBody(parseJsonText(body, { depthMax, refuseDuplicates: false }));
    const input = toCompletionInput(request, principal, exchange);
    const { requestId, traceparent } = exchange;
    const call: CompletionCall = {
      requestId,
      accountId: principal.accountId,
      traceparent,
      deadlineMs,
    };
    const headers = (answer: AnswerOrigin) => originHeaders(answer, principal);
    if (!request.stream) {
      return answerWhole({ client, input, call, exchange, presenter, headers });
    }
    return toOutcome(
      await streamAnswer({
        client,
        input,
        call,
        exchange,
        includeUsage: request.includeUsage,
        toHeadHeaders: headers,
        clock: dependencies.clock,
        timings: dependencies.timings,
        readers: dependencies.readers,
      }),
    );
  };
  return async (exchange, principal, body, presenter) => {
    const endTurn = await largeBodies.wait(principal.accountId, body.length);
    const answered = answer(exchange, principal, body, presenter);
    endTurn?.();
    return answered;
  };
}

interface AnswerOrigin {
  readonly attempts: number;
  readonly channelId: string;
}

interface WholeAnswer {
  readonly client: CompletionClient;
  readonly input: completionV1.CompletionInput;
  readonly call: CompletionCall;
  readonly exchange: Exchange;
  readonly presenter: PresenterName;
  readonly headers: (answer: AnswerOrigin) => Readonly<Record<string, string>>;
}

async function answerWhole(whole: WholeAnswer): Promise<ChatOutcome> {
  const { client, exchange } = whole;
  const { response } = exchange;
  const pending = client.complete(whole.input, whole.call);
  let gone = false;
  const onClose = () => {
    gone = true;
    pending.cancel();
  };
  response.once('close', onClose);
  try {
    const answer = await pending.answer;
    if (gone) return { permit: 'counted', ended: 'client_gone' };
    Object.assign(exchange.headers, whole.headers(answer));
    exchange.headers['X-Tollgate-Cost'] = formatAmount(nano(answer.amount));
    exchange.send(200, JSON_TYPE, toAnswerBytes(whole.presenter, exchange.requestId, answer));
    return { permit: 'counted', ended: 'answered' };
  } catch (error) {
    if (gone) return { permit: 'counted', ended: 'client_gone' };
    throw error;
  } finally {
    response.off('close', onClose);
  }
}

/** Which channel answered is the operator's business alone. */
function originHeaders(answer: AnswerOrigin, principal: Principal): Record<string, string> {
  const headers: Record<string, string> = { 'X-Tollgate-Attempts': String(answer.attempts) };
  if (actsAsOperator(principal) && answer.channelId !== '') {
    headers['X-Tollgate-Channel'] = answer.channelId;
  }
  return headers;
}

function toOutcome(verdict: StreamVerdict): ChatOutcome {
  switch (verdict.kind) {
    case 'done':
      return { permit: 'counted', ended: 'streamed' };
    case 'gone':
      return { permit: 'counted', ended: 'client_gone' };
    case 'failed':
      return { permit: 'counted', ended: 'failed', error: verdict.error };
  }
}
