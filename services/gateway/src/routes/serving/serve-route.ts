import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, isCode, toAppError } from '@tollgate/core';
import type { Request } from 'express';
import type { Authenticate, Authenticated } from '../../auth/authenticate';
import { authorize } from '../../auth/authorize';
import { BearerRefusedError, publicPartOf, refusalOfMissing } from '../../auth/bearer';
import type { ChatFormat } from '../../chat/format';
import { type ServeChatDependencies, serveChat } from '../../chat/serve-chat';
import { applyCors, type CorsPolicy } from '../../http/cors';
import { createHttpExchange, type HttpExchange } from '../../http/exchange';
import { plainWordsOf, UNMATCHED } from '../../http/observe-exchange';
import { countDenialOrUnserved } from '../../refusals/count-denial-or-unserved';
import { isRefusedRequest } from '../../refusals/counts-in-day';
import type { DenialCounter } from '../../refusals/denials';
import type { RefusedRequests } from '../../refusals/refused-requests';
import type { Route } from '../table';
import type { LegacyGate } from './legacy';
import { type OperationDependencies, serveOperation } from './serve-operation';

export interface ServeDependencies extends OperationDependencies {
  readonly authenticate: Authenticate;
  readonly chat: ServeChatDependencies;
  readonly denials: Pick<DenialCounter, 'count'>;
  readonly refusedRequests: Pick<RefusedRequests, 'note' | 'noteUnauthorized' | 'noteUnrouted'>;
}

export interface RouteOptions {
  readonly serving: ServeDependencies;
  readonly legacy: LegacyGate;
  readonly cors: CorsPolicy;
  /** Called with every exchange and the path of its row, or `unmatched`. */
  readonly observe: (exchange: HttpExchange, label: string) => void;
}

/** What express gives a handler; only express knows parameters of a path. */
type RouteRequest = IncomingMessage & Pick<Partial<Request>, 'originalUrl' | 'params'>;

export type RouteHandler = (request: RouteRequest, response: ServerResponse) => void;

/** One request of one row. */
interface RouteCall {
  readonly route: Route;
  readonly params: Readonly<Record<string, unknown>>;
  /** The paths before v1 answer without the envelope. */
  readonly isLegacyPath: boolean;
}

const NO_PARAMS = {};
const VERSIONED = /^\/v1(?:[/?]|$)/;

/** The handler of a row; `legacyOf` is its path when it is mounted under the one from before v1. */
export function createRouteHandler(
  options: RouteOptions,
  route: Route,
  legacyOf?: string,
): RouteHandler {
  const { cors, legacy, serving } = options;
  const isLegacyPath = legacyOf !== undefined;
  return (request, response) => {
    const exchange = beginExchange(options, request, response, route.path);
    applyCors(cors, exchange, undefined);
    if (legacyOf !== undefined && legacy.apply(exchange, legacyOf)) return;
    void serveRoute(serving, exchange, {
      route,
      params: request.params ?? NO_PARAMS,
      isLegacyPath,
    });
  };
}

/** `label` is the path of the row that serves it. */
export function beginExchange(
  { observe }: Pick<RouteOptions, 'observe'>,
  request: RouteRequest,
  response: ServerResponse,
  label = UNMATCHED,
): HttpExchange {
  const isVersioned = VERSIONED.test(request.originalUrl ?? request.url ?? '');
  const exchange = createHttpExchange(request, response, isVersioned);
  observe(exchange, label);
  return exchange;
}

/** Answers one request of the table: who asks, then what the row names. 401 and 403 come first. */
async function serveRoute(
  deps: ServeDependencies,
  exchange: HttpExchange,
  call: RouteCall,
): Promise<void> {
  const { route } = call;
  const { target } = route;
  try {
    const format = target.kind === 'chat' ? target.format : target.schema.speaks;
    if (format !== undefined) useFailureFormat(exchange, format);
    const answer = authenticateFor(deps, exchange, route);
    const authenticated = answer instanceof Promise ? await answer : answer;
    if (target.kind === 'operation') {
      await serveOperation(deps, exchange, authenticated, { ...call, target });
    } else if (authenticated === undefined) {
      throw new Error('a completion without a principal');
    } else {
      await serveChat(deps.chat, exchange, authenticated.principal, target.format);
    }
  } catch (error) {
    const failure = toAppError(error);
    if (target.kind === 'chat') countDenialOrUnserved(deps.denials, exchange, failure);
    noteRefused(deps, exchange, target, failure);
    exchange.sendFailure(failure);
  }
}

function noteRefused(
  { refusedRequests, remoteAddressOf }: ServeDependencies,
  exchange: HttpExchange,
  { kind }: Route['target'],
  failure: AppError,
): void {
  const { request, requestId } = exchange;
  if (kind === 'chat' && isRefusedRequest(failure)) refusedRequests.note(exchange, failure);
  if (failure.code !== 'UNAUTHORIZED' || (kind !== 'chat' && !cameWithKey(failure))) return;
  const path = kind === 'chat' ? undefined : plainWordsOf(request);
  refusedRequests.noteUnauthorized(requestId, remoteAddressOf(request), failure, path);
}

/**
 * Whether a 401 on a path that is no completion is worth a note: client libraries ask for models
 * first, with a wrong key too. Sessions that are over, and no bearer at all, are usual.
 */
function cameWithKey(failure: AppError): boolean {
  if (!(failure instanceof BearerRefusedError)) return false;
  const { fault, slip } = failure.details;
  return fault !== 'session' && (fault !== 'missing' || slip !== undefined);
}

/** What likely was meant for completions, but came to a wrong path or by a wrong method. */
export function noteUnrouted(
  { refusedRequests, remoteAddressOf }: ServeDependencies,
  { request, requestId }: HttpExchange,
  { code, publicMessage: message }: AppError,
): void {
  const { headers } = request;
  const presented = publicPartOf(headers.authorization ?? bearerIn(request, 'x-api-key'));
  const refusal = { code, path: plainWordsOf(request), message, presented };
  refusedRequests.noteUnrouted(requestId, remoteAddressOf(request), refusal);
}

/** From here on every answer, refusals too, is one that the clients of the format read. */
function useFailureFormat(
  exchange: HttpExchange,
  { failureBody, requestIdHeader }: ChatFormat,
): void {
  exchange.failureBody = failureBody;
  if (requestIdHeader !== undefined) exchange.headers[requestIdHeader] = exchange.requestId;
}

/** 401, then 403; undefined for public routes. */
function authenticateFor(
  { authenticate, remoteAddressOf }: ServeDependencies,
  exchange: HttpExchange,
  route: Route,
): Authenticated | Promise<Authenticated | undefined> | undefined {
  if (route.auth === 'public') return undefined;
  const { auth, scope, role, firstPassword, keyHeader } = route;
  const { request } = exchange;
  const authorization = request.headers.authorization ?? bearerIn(request, keyHeader);
  const requirement = { scope, role, firstPassword };
  const authorized = (authenticated: Authenticated): Authenticated => {
    exchange.principal = authenticated.principal;
    authorize(authenticated.principal, requirement, () => remoteAddressOf(request));
    return authenticated;
  };
  if (auth === 'optional_access_token') {
    if (authorization === undefined) return undefined;
    return unlessRefused(async () => authorized(await authenticate(authorization, 'access_token')));
  }
  if (authorization === undefined) throw refusalOfMissing(request.headers);
  const answer = authenticate(authorization, auth, request.socket);
  return answer instanceof Promise ? answer.then(authorized) : authorized(answer);
}

/** A bearer that is refused counts as none: something else may name the session, which is over. */
async function unlessRefused(
  authenticating: () => Promise<Authenticated>,
): Promise<Authenticated | undefined> {
  try {
    return await authenticating();
  } catch (error) {
    if (isCode(error, 'UNAUTHORIZED')) return undefined;
    throw error;
  }
}

/** The key of a client that sends it without a scheme, in a header of its own. */
function bearerIn(
  { headers }: HttpExchange['request'],
  keyHeader: 'x-api-key' | undefined,
): string | undefined {
  const key = keyHeader === undefined ? undefined : headers[keyHeader];
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}
