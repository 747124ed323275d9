import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertNever, type FairShare, type Logger, networkOf, toAppError } from '@tollgate/core';
import type { Authenticated } from '../../auth/authenticate';
import type { LargeBodyTurns } from '../../bounds/large-body-turns';
import { readBody, requireJsonBody, roomOf } from '../../http/body';
import { JSON_TYPE } from '../../http/content-types';
import { inEnvelope } from '../../http/envelope';
import { invalidField } from '../../http/errors';
import { type HttpExchange, hasBody, toRawHeaders } from '../../http/exchange';
import { REPLAYED_HEADER } from '../../http/idempotency-key';
import { parseJsonText } from '../../http/json-text';
import type { Admission } from '../../limits/admission';
import type { RequestThrottle } from '../../limits/request-throttle';
import { hasAuditEntry, writeWithEntry } from '../audit-log/write-with-entry';
import type { CheckedInput, Operation, OperationSchema } from '../operation';
import { readIdempotency } from '../payloads/idempotency';
import type { Route } from '../table';
import { describeUnknown } from './describe-fault';
import { forRequest, type SharedServices } from './for-request';
import { check, readQuery } from './input';

export interface OperationDependencies {
  readonly throttles: Readonly<
    Record<'management' | 'redeem' | 'login' | 'public', RequestThrottle>
  >;
  readonly admission: Admission;
  readonly services: SharedServices;
  /** The whole table. */
  readonly routes: readonly Route[];
  readonly remoteAddressOf: (request: HttpExchange['request']) => string;
  /** `https://host` under which people reach us; throws when that is not configured. */
  readonly publicOriginOf: (request: HttpExchange['request']) => string;
  readonly logger: Logger;
  readonly bounds: BodyBounds;
  /** The bytes that the bodies of all requests may hold, by account or network. */
  readonly bodies: FairShare;
  readonly largeBodies: LargeBodyTurns;
}

/** Bounds of request bodies. */
interface BodyBounds {
  readonly chatBytesMax: number;
  readonly managementBytesMax: number;
  readonly depthMax: number;
}

/** One request of a row that names an operation. */
export interface OperationCall {
  readonly route: Route;
  readonly target: Operation;
  readonly params: Readonly<Record<string, unknown>>;
  /** The paths before v1 answer without the envelope. */
  readonly isLegacyPath: boolean;
}

/**
 * Answers one request of an operation; rejects with the failure to show. Refusals come in the order
 * 415 and 413, 429, 400, and then what the operation finds. Up to and including 429 no byte of the
 * body is read.
 */
export async function serveOperation(
  deps: OperationDependencies,
  exchange: HttpExchange,
  authenticated: Authenticated | undefined,
  { route, params, isLegacyPath, target }: OperationCall,
): Promise<void> {
  const { schema } = target;
  const { request, headers } = exchange;
  const bytesMax = requireOperationBody(deps.bounds, exchange, schema);
  await throttle(deps, route, authenticated, exchange);
  const accountId = authenticated?.principal.accountId;
  const ownerOfBytes = accountId ?? networkOf(deps.remoteAddressOf(request));
  const bytes =
    bytesMax === undefined
      ? undefined
      : await readBody(exchange, bytesMax, roomOf(deps.bodies, ownerOfBytes));
  const ownerOfTurn = accountId ?? STRANGERS;
  const endTurn = await deps.largeBodies.wait(ownerOfTurn, bytes?.length ?? 0, exchange.onClose);
  let read: CheckedInput;
  try {
    read = readInput(deps, exchange, authenticated, { schema, params, bytes });
  } finally {
    endTurn?.();
  }
  const services = forRequest(deps.services, {
    requestId: exchange.requestId,
    accountId: accountId ?? '',
    traceparent: exchange.traceparent,
  });
  const input = { ...read, signedId: schema.verifySignature?.(read, services) };
  const result = hasAuditEntry(route)
    ? await writeWithEntry({ ...deps, services, route, input })
    : await target.handle(input, services);
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
  if (result.replayed === true) headers[REPLAYED_HEADER] = 'true';
  const body =
    isLegacyPath || schema.withoutEnvelope === true
      ? JSON.stringify(result.data)
      : inEnvelope(result.data, result.message);
  exchange.send(schema.status ?? 200, JSON_TYPE, body);
}

/** Sends as fast as the client reads. A source that fails in the middle breaks the answer off. */
async function sendPieces(
  exchange: HttpExchange,
  { stream, contentType }: { readonly stream: AsyncIterable<string>; readonly contentType: string },
): Promise<void> {
  const { headers, response } = exchange;
  headers['Content-Type'] = contentType;
  response.writeHead(200, toRawHeaders(headers));
  await pipeline(Readable.from(notingFailure(stream, exchange)), response);
}

/** Notes a failure of the source at once: the log line is written before the pipeline rejects. */
async function* notingFailure(
  stream: AsyncIterable<string>,
  exchange: HttpExchange,
): AsyncGenerator<string> {
  try {
    yield* stream;
  } catch (error) {
    exchange.failure ??= toAppError(error);
    throw error;
  }
}

const NO_BYTES = Buffer.alloc(0);
/** Who stands for all without credentials: together they have one place among the large bodies. */
const STRANGERS = '';

interface RawInput {
  readonly schema: OperationSchema;
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer | undefined;
}

/** 400: everything that the client sent, checked against the operation's schemas. */
function readInput(
  deps: OperationDependencies,
  exchange: HttpExchange,
  authenticated: Authenticated | undefined,
  { schema, params, bytes }: RawInput,
): CheckedInput {
  const { request } = exchange;
  const query = readQuery(request.url ?? '');
  const [unknownName] = schema.query === undefined ? Object.keys(query) : [];
  if (unknownName !== undefined) {
    throw invalidField(unknownName, describeUnknown(unknownName, []));
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
    },
  };
}

/** Refuses with 415 and 413; returns how large the body may be, undefined when there is none. */
function requireOperationBody(
  { managementBytesMax, chatBytesMax }: BodyBounds,
  { request }: HttpExchange,
  schema: OperationSchema,
): number | undefined {
  if (schema.body === undefined) return undefined;
  // A body whose fields are all optional may be left out altogether.
  if (!hasBody(request) && schema.body.safeParse({}).success) return undefined;
  const isLarge = schema.takesTable === true || schema.parseBody !== undefined;
  const bytesMax = isLarge ? chatBytesMax : managementBytesMax;
  requireJsonBody(request, bytesMax);
  return bytesMax;
}

function parseBody(bytes: Buffer, { depthMax }: BodyBounds): unknown {
  return parseJsonText(bytes, { depthMax, refuseDuplicates: true });
}

async function throttle(
  { admission, remoteAddressOf, throttles }: OperationDependencies,
  { countedBy }: Route,
  authenticated: Authenticated | undefined,
  { headers, request }: HttpExchange,
): Promise<void> {
  switch (countedBy) {
    case 'management':
    case 'redeem':
      return throttles[countedBy].check(
        authenticated?.principal.accountId ?? networkOf(remoteAddressOf(request)),
      );
    case 'login':
    case 'public':
      return throttles[countedBy].check(networkOf(remoteAddressOf(request)));
    case 'metered': {
      if (authenticated === undefined) throw new Error('a metered path without a principal');
      const decision = await admission.admit(authenticated.principal);
      Object.assign(headers, decision.headers);
      if ('refused' in decision) throw decision.refused;
      // Any limit that is used up refuses it; once taken, it counts in the minute alone.
      decision.permit.release('minute');
      return undefined;
    }
    default:
      return assertNever(countedBy);
  }
}
