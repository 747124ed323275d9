import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AppError, assertNever, type Logger, networkOf, toAppError } from '@tollgate/core';
import type { Authenticate, Authenticated } from '../auth/authenticate';
import { authorize } from '../auth/authorize';
import { BearerRefusedError, publicPartOf, refuseMissing } from '../auth/bearer';
import type { ChatFormat } from '../chat/format';
import { isRefusedRequest, type ServeChatDependencies, serveChat } from '../chat/serve-chat';
import { readBody, requireJsonBody } from '../http/body';
import { inEnvelope } from '../http/envelope';
import { refuse } from '../http/errors';
import { type HttpExchange, hasBody, JSON_TYPE, toRawHeaders } from '../http/exchange';
import { parseJsonText } from '../http/json-text';
import { plainWordsOf } from '../http/observe-exchange';
import type { Admission, RequestThrottle } from '../limits/admission';
import type { ByteBudget } from '../limits/byte-budget';
import type { LargeBodyTurns } from '../limits/large-body-turns';
import type { RefusedRequests } from '../refusals/refused-requests';
import { hasAuditEntry, writeWithEntry } from './audit-log/write-with-entry';
import { describeUnknown } from './describe-fault';
import { readIdempotency } from './idempotency';
import { check, readQuery } from './input';
import type { Operation, OperationInput, OperationSchema, Services } from './operation';
import type { Route } from './table';

export interface ServeDependencies {
  readonly authenticate: Authenticate;
  readonly throttles: Readonly<
    Record<'management' | 'redeem' | 'login' | 'public', RequestThrottle>
  >;
  readonly admission: Admission;
  readonly chat: ServeChatDependencies;
  readonly refusedRequests: Pick<RefusedRequests, 'note' | 'noteUnauthorized' | 'noteUnrouted'>;
  readonly services: Services;
  /** The whole table. */
  readonly routes: readonly Route[];
  readonly remoteAddressOf: (request: HttpExchange['request']) => string;
  /** `https://host` under which people reach us; throws when that is not configured. */
  readonly publicOriginOf: (request: HttpExchange['request']) => string;
  readonly logger: Logger;
  readonly bounds: BodyBounds;
  /** The bytes that the bodies of all requests may hold. */
  readonly bodies: ByteBudget;
  readonly largeBodies: LargeBodyTurns;
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
  /** The paths before v1 answer without the envelope. */
  readonly isLegacyPath: boolean;
}

/**
 * Answers one request of the table. Refusals come in one order: 401, 403, 415 and 413, 429, 400,
 * and then what the operation finds. Up to and including 429 no byte of the body is read.
 */
export async function serveRoute(
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
  { auth, scope, role, firstPassword, keyHeader }: Route,
): Authenticated | Promise<Authenticated> | undefined {
  if (auth === 'public') return undefined;
  const { request } = exchange;
  const authorization = request.headers.authorization ?? bearerIn(request, keyHeader);
  const isOptional = auth === 'optional_access_token';
  if (isOptional && authorization === undefined) return undefined;
  if (authorization === undefined) throw refuseMissing(request.headers);
  const accepts = isOptional ? 'access_token' : auth;
  const answer = authenticate(authorization, accepts, request.socket);
  const needed = role === 'anyone' ? 'member' : role;
  const requirement = { scope, role: needed, firstPassword };
  const authorized = (authenticated: Authenticated): Authenticated => {
    exchange.principal = authenticated.principal;
    authorize(authenticated.principal, requirement, () => remoteAddressOf(request));
    return authenticated;
  };
  return answer instanceof Promise ? answer.then(authorized) : authorized(answer);
}

/** The key of a client that sends it without a scheme, in a header of its own. */
function bearerIn(
  { headers }: HttpExchange['request'],
  keyHeader: Route['keyHeader'],
): string | undefined {
  const key = keyHeader === undefined ? undefined : headers[keyHeader];
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}

interface OperationCall extends RouteCall {
  readonly target: Operation;
}

async function serveOperation(
  deps: ServeDependencies,
  exchange: HttpExchange,
  authenticated: Authenticated | undefined,
  { route, params, isLegacyPath, target }: OperationCall,
): Promise<void> {
  const { schema } = target;
  const { request, headers } = exchange;
  const bytesMax = requireOperationBody(deps.bounds, exchange, schema);
  await throttle(deps, route, authenticated, () => deps.remoteAddressOf(request));
  const owner = authenticated?.principal.accountId ?? networkOf(deps.remoteAddressOf(request));
  const bytes =
    bytesMax === undefined
      ? undefined
      : await readBody(exchange, bytesMax, deps.bodies.ofOwner(owner));
  const endTurn = await deps.largeBodies.wait(owner, bytes?.length ?? 0, exchange.onClose);
  let input: OperationInput<OperationSchema>;
  try {
    // Public operations never look at the principal that their calls do not have.
    input = readInput(deps, exchange, authenticated, {
      schema,
      params,
      bytes,
    }) as OperationInput<OperationSchema>;
  } finally {
    endTurn?.();
  }
  schema.verifySignature?.(input, deps.services);
  const result = hasAuditEntry(route)
    ? await writeWithEntry({ ...deps, route, input })
    : await target.handle(input, deps.services);
  if ('redirect' in result) {
    headers.Location = result.redirect;
    exchange.send(302, JSON_TYPE, '');
    return;
  }
  if ('stream' in result) {
    await sendPieces(exchange, result);
    return;
  }
  if ('text' in result) {
    exchange.send(200, result.contentType, result.text);
    return;
  }
  if (result.replayed === true) headers['Idempotency-Replayed'] = 'true';
  const body =
    isLegacyPath || schema.withoutEnvelope === true
      ? JSON.stringify(result.data)
      : inEnvelope(result.data, result.message);
  exchange.send(schema.status ?? 200, JSON_TYPE, body);
}

/** As fast as the client reads. A source that fails in the middle breaks the answer off. */
async function sendPieces(
  { response, headers }: HttpExchange,
  { stream, contentType }: { readonly stream: AsyncIterable<string>; readonly contentType: string },
): Promise<void> {
  headers['Content-Type'] = contentType;
  response.writeHead(200, toRawHeaders(headers));
  await pipeline(Readable.from(stream), response);
}

const NO_BYTES = Buffer.alloc(0);

interface RawInput {
  readonly schema: OperationSchema;
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer | undefined;
}

/** 400: everything that the client sent, checked against the operation's schemas. */
function readInput(
  deps: ServeDependencies,
  exchange: HttpExchange,
  authenticated: Authenticated | undefined,
  { schema, params, bytes }: RawInput,
): unknown {
  const { request, requestId, traceparent } = exchange;
  const query = readQuery(request.url ?? '');
  const [unknownName] = schema.query === undefined ? Object.keys(query) : [];
  if (unknownName !== undefined) {
    throw refuse(unknownName, describeUnknown(unknownName, []));
  }
  const body = bytes === undefined ? {} : parseBody(bytes, deps.bounds);
  return {
    ...authenticated,
    params: check(schema.params, params),
    query: check(schema.query, query),
    body: schema.parseBody === undefined ? check(schema.body, body) : schema.parseBody(body),
    context: {
      exchange,
      remoteAddress: deps.remoteAddressOf(request),
      publicOrigin: () => deps.publicOriginOf(request),
      idempotency: readIdempotency(request.headers, schema.idempotency, body),
      bytes: bytes ?? NO_BYTES,
      rpc: { requestId, accountId: authenticated?.principal.accountId ?? '', traceparent },
    },
  };
}

/** 415 and 413; answers how large the body may be, undefined when there is none to read. */
function requireOperationBody(
  { managementBytesMax, chatBytesMax }: BodyBounds,
  { request }: HttpExchange,
  schema: OperationSchema,
): number | undefined {
  if (schema.body === undefined) return undefined;
  // A body whose fields are all optional may be left out altogether.
  if (!hasBody(request) && schema.body.safeParse({}).success) return undefined;
  const isLarge = schema.large === true || schema.parseBody !== undefined;
  const bytesMax = isLarge ? chatBytesMax : managementBytesMax;
  requireJsonBody(request, bytesMax);
  return bytesMax;
}

function parseBody(bytes: Buffer, { depthMax }: BodyBounds): unknown {
  return parseJsonText(bytes, { depthMax, refuseDuplicates: true });
}

async function throttle(
  { admission, throttles }: ServeDependencies,
  { limiter }: Route,
  authenticated: Authenticated | undefined,
  remoteAddress: () => string,
): Promise<void> {
  switch (limiter) {
    case 'management':
    case 'redeem':
      return throttles[limiter].check(
        authenticated?.principal.accountId ?? networkOf(remoteAddress()),
      );
    case 'login':
    case 'public':
      return throttles[limiter].check(networkOf(remoteAddress()));
    case 'metered': {
      if (authenticated === undefined) throw new Error('a metered path without a principal');
      const decision = await admission.admit(authenticated.principal);
      if ('refused' in decision) throw decision.refused;
      // It counts in the minute; the limits of the day and of what is in flight are completions'.
      decision.permit.release('minute');
      return undefined;
    }
    default:
      return assertNever(limiter);
  }
}
