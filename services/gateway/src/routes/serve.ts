import { AppError, assertNever, type Logger, toAppError } from '@tollgate/core';
import type { Authenticate, Authenticated } from '../auth/authenticate';
import { authorize } from '../auth/authorize';
import { type AnswerChat, permitOutcomeOf } from '../chat/serve';
import type { Permit, PermitOutcome } from '../domain/limits';
import type { Principal } from '../domain/principal';
import { type Exchange, JSON_TYPE } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import { type PresenterName, presentSuccess } from '../http/presenter';
import { hasBody, readBody, requireJsonBody } from '../http/read-body';
import type { Admission } from '../limits/admission';
import type { ByteBudget } from '../limits/byte-budget';
import { type DenialCounter, moneyDenial } from '../limits/denial-counter';
import { networkOf, type RequestThrottle } from '../limits/request-throttle';
import type { GatewayMetrics } from '../metrics';
import { check, readIdempotency, readQuery } from './input';
import type { Operation, OperationInput, OperationSchema, Services } from './operation';
import type { ChatServing, Route } from './table';

/** What serving any route needs. */
export interface ServeDependencies {
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  readonly denials: DenialCounter;
  readonly throttles: Readonly<Record<'management' | 'login' | 'public', RequestThrottle>>;
  readonly answerChat: AnswerChat;
  readonly services: Services;
  readonly remoteAddressOf: (request: Exchange['request']) => string;
  /** `https://host` under which people reach us; throws when that is not configured. */
  readonly publicOriginOf: (request: Exchange['request']) => string;
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'chatBroken'>;
  readonly bounds: BodyBounds;
  readonly bodies: ByteBudget;
}

/** Bounds of request bodies. */
export interface BodyBounds {
  readonly chatBytesMax: number;
  readonly managementBytesMax: number;
  readonly depthMax: number;
}

/** One request of one row. */
export interface RouteCall {
  readonly route: Route;
  readonly params: Readonly<Record<string, unknown>>;
  /** Overrides the row's own presenter on the paths before v1. */
  readonly bare: boolean;
}

/**
 * Answers one request of the table. Refusals come in one order: 401, 403, 415 and 413, 429, 400,
 * and then what the operation finds; through 429 nothing is counted, and no byte of a body is read.
 */
export async function serveRoute(
  dependencies: ServeDependencies,
  exchange: Exchange,
  call: RouteCall,
): Promise<void> {
  try {
    const { route } = call;
    const caller = await identify(dependencies, exchange, route);
    if ('chat' in route.serve) {
      if (caller === undefined) throw new Error('a completion without a principal');
      await serveChat(dependencies, exchange, caller, route.serve);
    } else {
      await serveOperation(dependencies, exchange, caller, { ...call, serve: route.serve });
    }
  } catch (error) {
    fail(dependencies, exchange, error);
  }
}

function fail(dependencies: ServeDependencies, exchange: Exchange, error: unknown): void {
  const failure = toAppError(error);
  report(dependencies, exchange, failure);
  exchange.sendFailure(failure);
}

/** Server faults are ours to see; refusals are the caller's business. */
function report({ logger }: ServeDependencies, { requestId }: Exchange, error: AppError): void {
  if (error.definition.httpStatus < 500) return;
  logger.warn({ requestId, code: error.code, error }, 'request failed');
}

function countDenial(
  { denials }: ServeDependencies,
  { accountId, keyId }: Principal,
  { code }: AppError,
): void {
  const reason = moneyDenial(code);
  if (reason === undefined) return;
  denials.count(accountId, reason === 'budget' ? keyId : undefined, reason);
}

/** 401, then 403; undefined for public routes. */
async function identify(
  { authenticate, remoteAddressOf }: ServeDependencies,
  { request }: Exchange,
  { auth, scope, role }: Route,
): Promise<Authenticated | undefined> {
  if (auth === 'public') return undefined;
  const { authorization } = request.headers;
  const isOptional = auth === 'optional_access_token';
  if (isOptional && authorization === undefined) return undefined;
  const answer = authenticate(authorization, isOptional ? 'access_token' : auth);
  const caller = answer instanceof Promise ? await answer : answer;
  const needed = role === 'anyone' ? 'member' : role;
  authorize(caller.principal, { scope, role: needed }, () => remoteAddressOf(request));
  return caller;
}

async function serveChat(
  dependencies: ServeDependencies,
  exchange: Exchange,
  { principal }: Authenticated,
  { chat }: ChatServing,
): Promise<void> {
  const { request, response, headers } = exchange;
  const { chatBytesMax } = dependencies.bounds;
  requireJsonBody(request, chatBytesMax);
  const admitted = await dependencies.admission.admit(principal);
  Object.assign(headers, admitted.headers);
  if ('refused' in admitted) throw admitted.refused;
  let outcome: PermitOutcome = 'counted';
  try {
    const share = dependencies.bodies.shareOf(principal.accountId);
    const body = await readBody(exchange, chatBytesMax, share);
    const answered = await dependencies.answerChat(exchange, principal, body, chat);
    outcome = answered.permit;
    const { ended } = answered;
    if (ended === 'client_gone' || ended === 'failed') dependencies.metrics.chatBroken(ended);
    if (answered.error !== undefined) report(dependencies, exchange, answered.error);
  } catch (error) {
    const failure = toAppError(error);
    outcome = permitOutcomeOf(failure);
    countDenial(dependencies, principal, failure);
    fail(dependencies, exchange, failure);
  } finally {
    releaseAtEnd(response, admitted.permit, outcome);
  }
}

/** A request is in flight until its last byte has left. */
function releaseAtEnd(
  response: Exchange['response'],
  permit: Permit,
  outcome: PermitOutcome,
): void {
  if (response.closed) permit.release(outcome);
  else response.once('close', () => permit.release(outcome));
}

interface OperationCall extends RouteCall {
  readonly serve: Operation;
}

async function serveOperation(
  dependencies: ServeDependencies,
  exchange: Exchange,
  caller: Authenticated | undefined,
  { route, params, bare, serve }: OperationCall,
): Promise<void> {
  const { schema } = serve;
  const { request, headers } = exchange;
  const bytesMax = requireOperationBody(dependencies.bounds, exchange, schema);
  await throttle(dependencies, route, caller, () => dependencies.remoteAddressOf(request));
  const bytes =
    bytesMax === undefined ? undefined : await readBody(exchange, bytesMax, dependencies.bodies);
  const input = readInput(dependencies, exchange, caller, { schema, params, bytes });
  // Public operations never look at the principal that their calls do not have.
  const result = await serve.handle(
    input as OperationInput<OperationSchema>,
    dependencies.services,
  );
  if ('redirect' in result) {
    headers.Location = result.redirect;
    exchange.send(302, JSON_TYPE, '');
    return;
  }
  if ('text' in result) {
    exchange.send(200, result.contentType, result.text);
    return;
  }
  if (result.replayed === true) headers['Idempotency-Replayed'] = 'true';
  const presenter: PresenterName = bare ? 'bare' : schema.plain === true ? 'plain' : 'envelope';
  exchange.send(schema.status ?? 200, JSON_TYPE, presentSuccess(presenter, result.data));
}

interface RawInput {
  readonly schema: OperationSchema;
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer | undefined;
}

/** 400: everything that the caller sent, checked against the operation's schemas. */
function readInput(
  dependencies: ServeDependencies,
  exchange: Exchange,
  caller: Authenticated | undefined,
  { schema, params, bytes }: RawInput,
): unknown {
  const { request, requestId, traceparent } = exchange;
  const query = readQuery(request.url ?? '');
  const [unknownName] = schema.query === undefined ? Object.keys(query) : [];
  if (unknownName !== undefined) {
    const publicMessage = `${unknownName}: is not known here`;
    throw new AppError('VALIDATION_ERROR', { publicMessage, param: unknownName });
  }
  const body = bytes === undefined ? {} : parseBody(bytes, dependencies.bounds);
  const header = request.headers['idempotency-key'];
  return {
    ...caller,
    params: check(schema.params, params),
    query: check(schema.query, query),
    body: check(schema.body, body),
    context: {
      exchange,
      remoteAddress: dependencies.remoteAddressOf(request),
      publicOrigin: () => dependencies.publicOriginOf(request),
      idempotency: readIdempotency(header, schema.idempotency, body),
      rpc: { requestId, accountId: caller?.principal.accountId ?? '', traceparent },
    },
  };
}

/** 415 and 413; answers how large the body may be, undefined when there is none to read. */
function requireOperationBody(
  { managementBytesMax, chatBytesMax }: BodyBounds,
  { request }: Exchange,
  schema: OperationSchema,
): number | undefined {
  if (schema.body === undefined) return undefined;
  // A body whose members are all optional may be left out altogether.
  if (!hasBody(request) && schema.body.safeParse({}).success) return undefined;
  const bytesMax = schema.chatSized === true ? chatBytesMax : managementBytesMax;
  requireJsonBody(request, bytesMax);
  return bytesMax;
}

function parseBody(bytes: Buffer, { depthMax }: BodyBounds): unknown {
  return parseJsonText(bytes, { depthMax, refuseDuplicates: true });
}

async function throttle(
  { throttles }: ServeDependencies,
  { limiter }: Route,
  caller: Authenticated | undefined,
  remoteAddress: () => string,
): Promise<void> {
  switch (limiter) {
    case 'management':
      return throttles.management.check(caller?.principal.accountId ?? networkOf(remoteAddress()));
    case 'login':
    case 'public':
      return throttles[limiter].check(networkOf(remoteAddress()));
    case 'metered':
      return undefined;
    default:
      return assertNever(limiter);
  }
}
