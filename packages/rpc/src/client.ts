import {
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  type ClientReadableStream,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { type AppError, type Clock, delay, type Logger, type ServiceName } from '@tollgate/core';
import { type Breaker, createBreaker } from './breaker';
import { type CallContext, createBaseMetadata, toMetadata } from './call-info';
import {
  type DuplexMethod,
  type MethodName,
  type MethodShape,
  methodsOf,
  type RequestOf,
  type ResponseOf,
  type ServerStreamMethod,
  type ServiceShape,
} from './definition';
import { fromStatus } from './error-mapping';
import {
  createMessageStream,
  type DuplexCall,
  MESSAGE_OPTIONS,
  type MessageStream,
  onlyOnce,
} from './message-stream';
import { firstAnswer, isExpensive, isRepeatable } from './repeatable-calls';
import { createReplicas, REPLICAS_OPTION, REPLICAS_POLICY, type Replicas } from './replicas';
import { channelCredentials, createServiceToken, type RpcSecurity } from './security';

/** Settings of a unary call; the context members travel as metadata. Streams have no deadline. */
export interface CallOptions extends Partial<CallContext> {
  /** Milliseconds; the client's default when absent. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** A client's end of a long-lived stream. */
export interface ClientDuplex<Outgoing, Incoming> extends DuplexCall<Incoming, Outgoing> {
  /** Called once when the server's handler has accepted the call; never after `onEnd`. */
  onAccept(listener: () => void): void;
  /** Closes our side; the server may still answer. */
  end(): void;
  cancel(): void;
}

type Call<Name, Method> = Name extends ServerStreamMethod
  ? (request: RequestOf<Method>) => MessageStream<ResponseOf<Method>>
  : Name extends DuplexMethod
    ? () => ClientDuplex<RequestOf<Method>, ResponseOf<Method>>
    : (request: RequestOf<Method>, options?: CallOptions) => Promise<ResponseOf<Method>>;

/** A typed client: one function per method of the service, and `close`. */
export type RpcClient<Shape extends ServiceShape> = {
  readonly [Name in keyof MethodName<Shape>]: Call<
    Name,
    Shape[MethodName<Shape>[Name] & keyof Shape]
  >;
} & { close(): void };

export interface RpcClientOptions {
  /** `unix:/path`, `host:port` or `dns:///host:port` (spread over all addresses). */
  readonly address: string;
  /** The service that calls, as its peer knows it. */
  readonly ownName: ServiceName;
  readonly security: RpcSecurity;
  readonly host: { readonly clock: Clock; readonly logger: Logger };
  /** Default deadline of unary calls, milliseconds. There is never none. */
  readonly deadlineMs: number;
  /** False for none: calls are made while the service is away too. Absent, unary calls fail fast. */
  readonly breaker?: false;
  /**
   * A peer is asked for a sign of life this often, and is given up when none comes for as long:
   * then its calls fail. Without it only a deadline ends a call to a peer that froze. Milliseconds.
   */
  readonly silenceMs?: number;
}

const RECONNECT_INITIAL_MS = 50;
const RECONNECT_MAX_MS = 1000;
/**
 * The least between two look-ups of a name. An upgrade replaces every replica of a service within
 * seconds: whoever looked just before must not wait half a minute, the library's own time, to hear
 * where the new ones are.
 */
const LOOK_UP_AGAIN_MS = 1000;
/**
 * How often a call is sent again that a server refused before anything of it began, because it was
 * closing the connection just then. The library tries once more itself, on the same connection.
 */
const REFUSED_MAX = 5;
const REFUSED_PAUSE_MS = 10;
/** What the library says of such a call, and of no other (`NGHTTP2_REFUSED_STREAM`). */
const REFUSED = 'Stream refused by server';

interface Transport {
  readonly client: Client;
  readonly options: RpcClientOptions;
  readonly baseMetadata: ReturnType<typeof createBaseMetadata>;
  readonly breaker: Breaker | undefined;
  readonly replicas: Replicas;
  /** Repetitions that are under way. */
  readonly repeats: { open: number };
}

/** Connects lazily; calls fail with SERVICE_UNAVAILABLE while the service is away. */
export function createRpcClient<Shape extends ServiceShape>(
  shape: Shape,
  options: RpcClientOptions,
): RpcClient<Shape> {
  const replicas = createReplicas(options.host.clock);
  const client = new Client(
    options.address,
    channelCredentials(options.address, options.security),
    {
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ [REPLICAS_POLICY]: {} }] }),
      [REPLICAS_OPTION]: replicas,
      // Without it a TXT record of the name is asked for, and could say otherwise.
      'grpc.service_config_disable_resolution': 1,
      'grpc.dns_min_time_between_resolutions_ms': LOOK_UP_AGAIN_MS,
      ...MESSAGE_OPTIONS,
      'grpc.initial_reconnect_backoff_ms': RECONNECT_INITIAL_MS,
      'grpc.min_reconnect_backoff_ms': RECONNECT_INITIAL_MS,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MAX_MS,
      // Each client has connections of its own, so that one busy peer does not pin another.
      'grpc.use_local_subchannel_pool': 1,
      ...keepAlive(options.silenceMs),
    },
  );
  const transport: Transport = {
    client,
    options,
    baseMetadata: createBaseMetadata(createServiceToken(options.security, options.ownName)),
    breaker: options.breaker === false ? undefined : createBreaker(),
    replicas,
    repeats: { open: 0 },
  };
  const calls: Record<string, unknown> = {};
  for (const [name, method] of methodsOf(shape)) {
    if (method.requestStream) calls[name] = duplexCall(transport, method);
    else if (method.responseStream) calls[name] = streamCall(transport, method);
    else calls[name] = unaryCall(transport, method, name);
  }
  calls.close = () => {
    transport.breaker?.shutdown();
    client.close();
  };
  return calls as RpcClient<Shape>;
}

function keepAlive(silenceMs: number | undefined): ClientOptions {
  if (silenceMs === undefined) return {};
  return { 'grpc.keepalive_time_ms': silenceMs, 'grpc.keepalive_timeout_ms': silenceMs };
}

function unaryCall(transport: Transport, method: MethodShape, name: string) {
  const { options, baseMetadata, replicas, repeats } = transport;
  const breaker = isExpensive(name) ? undefined : transport.breaker;
  const repeatable = isRepeatable(name);
  const { clock } = options.host;
  const send = (request: unknown, call: CallOptions): Promise<unknown> => {
    const deadlineMs = call.deadlineMs ?? options.deadlineMs;
    const endsAtMs = clock.now() + deadlineMs;
    const metadata = toMetadata(baseMetadata, call);
    const signals = call.signal === undefined ? [] : [call.signal];
    if (!repeatable) return sendUnary(transport, method, { request, metadata, endsAtMs, signals });
    const sendings = replicas.beginCall();
    return firstAnswer({
      sendings,
      deadlineMs,
      clock,
      repeats,
      send(over) {
        const marked = metadata.clone();
        sendings.mark(marked);
        const sent = { request, metadata: marked, endsAtMs, signals: [...signals, over] };
        return sendUnary(transport, method, sent);
      },
    });
  };
  return (request: unknown, call: CallOptions = {}) =>
    breaker === undefined ? send(request, call) : breaker.run(() => send(request, call));
}

/** What a unary call is sent with. */
interface SendOptions {
  readonly request: unknown;
  readonly metadata: Metadata;
  readonly endsAtMs: number;
  /** When one of them aborts, the call is cancelled. */
  readonly signals: readonly AbortSignal[];
}

/** Rejects with an AppError; what a closing connection refused is sent again. */
async function sendUnary(
  transport: Transport,
  method: MethodShape,
  options: SendOptions,
): Promise<unknown> {
  for (let refused = 1; ; refused += 1) {
    try {
      return await sendUnaryOnce(transport, method, options);
    } catch (error) {
      const failure = error as ServiceError;
      if (failure.details !== REFUSED || refused === REFUSED_MAX) throw toError(failure, options);
      await delay(transport.options.host.clock, REFUSED_PAUSE_MS * refused);
    }
  }
}

/** A call that its server cancelled when it ended is unanswered; one that we cancelled is not. */
function toError(failure: ServiceError, { signals }: SendOptions): AppError {
  const isCut = failure.code === status.CANCELLED && !signals.some(({ aborted }) => aborted);
  if (!isCut) return fromStatus(failure);
  const { details, metadata } = failure;
  return fromStatus({ code: status.UNAVAILABLE, details, metadata });
}

function sendUnaryOnce(
  { client }: Transport,
  method: MethodShape,
  { request, metadata, endsAtMs, signals }: SendOptions,
): Promise<unknown> {
  return new Promise<unknown>((resolve, reject: (error: ServiceError) => void) => {
    const running = client.makeUnaryRequest(
      method.path,
      method.requestSerialize as (value: unknown) => Buffer,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: endsAtMs },
      (error: ServiceError | null, response?: unknown) => {
        for (const signal of signals) signal.removeEventListener('abort', cancel);
        if (error === null) resolve(response);
        else reject(error);
      },
    );
    const cancel = () => running.cancel();
    if (signals.some(({ aborted }) => aborted)) cancel();
    else for (const signal of signals) signal.addEventListener('abort', cancel, { once: true });
  });
}

function streamCall({ client, baseMetadata }: Transport, method: MethodShape) {
  return (request: unknown) => {
    const stream: ClientReadableStream<unknown> = client.makeServerStreamRequest(
      method.path,
      method.requestSerialize as (value: unknown) => Buffer,
      method.responseDeserialize,
      request,
      baseMetadata,
    );
    return createMessageStream(stream);
  };
}

function duplexCall({ client, baseMetadata }: Transport, method: MethodShape) {
  return (): ClientDuplex<unknown, unknown> => {
    const stream: ClientDuplexStream<unknown, unknown> = client.makeBidiStreamRequest(
      method.path,
      method.requestSerialize as (value: unknown) => Buffer,
      method.responseDeserialize,
      baseMetadata,
    );
    const incoming = createMessageStream(stream);
    return {
      onAccept: (listener) => {
        stream.once('metadata', listener);
      },
      onMessage: (listener) => {
        stream.on('data', listener);
      },
      onEnd: (listener) => {
        const once = onlyOnce(listener);
        stream.on('error', (error: ServiceError) => once(fromStatus(error)));
        stream.on('end', () => setImmediate(() => once()));
      },
      write: (message) => stream.write(message),
      onDrain: (listener) => {
        stream.on('drain', listener);
      },
      end: () => {
        stream.end();
      },
      cancel: incoming.cancel,
    };
  };
}
