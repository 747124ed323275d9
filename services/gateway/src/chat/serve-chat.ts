import { type AppError, type ErrorCode, toAppError } from '@tollgate/core';
import type { Principal } from '../auth/principal';
import { readBody, requireJsonBody } from '../http/body';
import type { HttpExchange } from '../http/exchange';
import type { Admission } from '../limits/admission';
import type { ByteBudget } from '../limits/byte-budget';
import type { LargeBodyTurns } from '../limits/large-body-turns';
import type { CountedIn, Permit } from '../limits/limiter';
import type { GatewayMetrics } from '../metrics';
import type { DenialCounter } from '../refusals/denials';
import { type AnswerDependencies, answerChat } from './answer';
import type { ChatFormat } from './format';

export interface ServeChatDependencies extends AnswerDependencies {
  readonly admission: Admission;
  readonly denials: DenialCounter;
  readonly metrics: Pick<GatewayMetrics, 'chatBroken'>;
  readonly body: { readonly bytesMax: number; readonly depthMax: number };
  /** The bytes that the bodies of all requests may hold. */
  readonly bodies: ByteBudget;
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
  let finishing: Promise<void> | undefined;
  try {
    const ownBytes = bodies.ofOwner(principal.accountId);
    const bytes = await readBody(exchange, body.bytesMax, ownBytes);
    const turn = largeBodies.wait(principal.accountId, bytes.length, exchange.onClose);
    const endTurn = turn === undefined ? undefined : await turn;
    const { plan, limitsLeft } = decision;
    const admitted = { exchange, principal, format, plan, limitsLeft };
    const answering = answerChat(deps, admitted, bytes);
    endTurn?.();
    const outcome = await answering;
    countedIn = outcome.countedIn;
    finishing = outcome.finished;
    const { ended, error } = outcome;
    if (ended === 'client_gone' || ended === 'failed') metrics.chatBroken(ended);
    exchange.failure ??= error;
  } catch (error) {
    const failure = toAppError(error);
    // Such a request does not count against the limit of the day.
    countedIn = isRefusedBeforeWork(failure) ? 'minute' : 'minute_and_day';
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
}

/**
 * The failures with which a request ends before any work was begun for it. Such a request does not
 * count in the day, and unless it has a record it is one of the refused requests.
 */
const REFUSED_BEFORE_WORK: Readonly<Record<ErrorCode, boolean | 'when it may be repeated'>> = {
  VALIDATION_ERROR: true,
  CONTEXT_LENGTH_EXCEEDED: true,
  CONTENT_POLICY: true,
  PAYLOAD_TOO_LARGE: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  NOT_FOUND: true,
  FORBIDDEN: true,
  INSUFFICIENT_BALANCE: true,
  KEY_BUDGET_EXCEEDED: true,
  COST_LIMIT: true,
  RATE_LIMIT_EXCEEDED: true,
  CONFLICT: true,
  IDEMPOTENCY_MISMATCH: true,
  // Then it cost nothing.
  SERVICE_UNAVAILABLE: 'when it may be repeated',
  UNAUTHORIZED: false,
  INVALID_CREDENTIALS: false,
  METHOD_NOT_ALLOWED: false,
  REQUEST_TIMEOUT: false,
  HEADERS_TOO_LARGE: false,
  DATABASE_ERROR: false,
  INTERNAL_ERROR: false,
  UPSTREAM_ERROR: false,
  UPSTREAM_TIMEOUT: false,
};

/** Whether it was refused before a vendor was asked: a vendor's refusal has a usage record. */
export function isRefusedRequest(failure: AppError): boolean {
  return isRefusedBeforeWork(failure) && !failure.recorded;
}

function isRefusedBeforeWork({ code, retryable }: AppError): boolean {
  const refused = REFUSED_BEFORE_WORK[code];
  return refused === 'when it may be repeated' ? retryable : refused;
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
