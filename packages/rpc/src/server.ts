import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  type ServerDuplexStream,
  type ServerOptions,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { AppError, type Clock, type Logger, type ServiceName } from '@tollgate/core';
import { type CallInfo, createCallInfo, fromMetadata, type ServerCall } from './call-info';
import {
  type DuplexMethod,
  type MethodName,
  methodsOf,
  type ReceivedRequestOf,
  type SentResponseOf,
  type ServerStreamMethod,
  type ServiceShape,
} from './definition';
import { isFullyReported, toStatus } from './error-mapping';
import { type DuplexCall, MESSAGE_OPTIONS, onlyOnce } from './message-stream';
import { createPeerVerifier, type RpcSecurity, serverCredentials } from './security';

/** Where a server-stream handler writes. */
export interface ResponseStream<Response> {
  /** False when the peer reads too slowly: stop until `drained` resolves. */
  write(message: Response): boolean;
  /** Resolves when the transport takes more, or when the call is over. */
  drained(): Promise<void>;
}

/** A server's end of a long-lived stream. */
export interface ServerDuplex<Incoming, Outgoing> extends DuplexCall<Incoming, Outgoing> {
  /** Tells the peer that it is served; the first message does so as well. */
  accept(): void;
  pause(): void;
  resume(): void;
}

type Handler<Name, Method> = Name extends ServerStreamMethod
  ? (
      request: ReceivedRequestOf<Method>,
      call: CallInfo,
      out: ResponseStream<SentResponseOf<Method>>,
    ) => Promise<void>
  : Name extends DuplexMethod
    ? (
        call: CallInfo,
        stream: ServerDuplex<ReceivedRequestOf<Method>, SentResponseOf<Method>>,
      ) => Promise<void>
    : (request: ReceivedRequestOf<Method>, call: CallInfo) => Promise<SentResponseOf<Method>>;

/** One handler for every method of the service. */
export type Handlers<Shape extends ServiceShape> = {
  readonly [Name in keyof MethodName<Shape>]: Handler<
    Name,
    Shape[MethodName<Shape>[Name] & keyof Shape]
  >;
};

/**
 * Who may call what: one row for every method, so that a new one is closed until it is decided. A
 * service whose methods all have the same callers gives one list of them instead.
 */
export type PeerPolicy<Shape extends ServiceShape> = {
  readonly [Name in keyof MethodName<Shape>]: readonly ServiceName[];
};

/** Bounds of one server. */
export interface RpcServerBounds {
  /**
   * How often a peer is asked for a sign of life, and how long it may take, milliseconds. The
   * calls of one that vanished without a word are cancelled then.
   */
  readonly silenceMs: number;
  /**
   * How old a connection may be, more or less a tenth. Its calls go on, new ones are made on
   * another, for which the peer looks up who serves: so replicas that were added get their part
   * of the work. Connections to a service with sessions never grow old, and its peers choose among
   * its replicas: on a connection that closes the library can send no ping, and it cuts a call that
   * is still open when either side asks for a sign of life.
   */
  readonly connectionAgeMs: number;
}

const DEFAULT_BOUNDS: RpcServerBounds = { silenceMs: 20_000, connectionAgeMs: 300_000 };
/** Streams per connection that the server takes at once. */
const CONCURRENT_STREAMS_MAX = 10_000;

export interface RpcServerOptions {
  /** `unix:/path` or `host:port`; port 0 picks a free one. */
  readonly listen: string;
  readonly security: RpcSecurity;
  readonly host: { readonly clock: Clock; readonly logger: Logger };
  readonly bounds?: Partial<RpcServerBounds>;
}

/** A gRPC server that authenticates peers and maps errors once. */
export interface RpcServer {
  /** With one list in place of a policy, whoever is on it may call every method. */
  addService<Shape extends ServiceShape>(
    shape: Shape,
    policy: PeerPolicy<Shape> | readonly ServiceName[],
    handlers: Handlers<Shape>,
  ): void;
  /** Starts listening; returns the address to dial. */
  listen(): Promise<{ readonly address: string }>;
  /** Refuses new calls, ends endless streams, waits for the rest up to `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Nobody may call a method that the policy does not name. */
function allowedPeers(policy: object, method: string): readonly ServiceName[] {
  if (Array.isArray(policy)) return policy as readonly ServiceName[];
  return (policy as Readonly<Record<string, readonly ServiceName[]>>)[method] ?? [];
}

interface Dispatch {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly draining: AbortSignal;
  readonly verify: ReturnType<typeof createPeerVerifier>;
}

/** Throws at once when the address would carry calls in clear without an opt-in. */
export function createRpcServer(options: RpcServerOptions): RpcServer {
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const { clock, logger } = options.host;
  const credentials = serverCredentials(options.listen, options.security);
  const draining = new AbortController();
  const services: [ServiceDefinition, UntypedServiceImplementation][] = [];
  let hasSessions = false;
  let server: Server | undefined;
  const dispatch: Dispatch = {
    clock,
    logger,
    draining: draining.signal,
    verify: createPeerVerifier(options.security),
  };

  return {
    addService(shape, policy, handlers) {
      const implementation: UntypedServiceImplementation = {};
      const methods = methodsOf(shape);
      for (const [name, method] of methods) {
        const allowed = allowedPeers(policy, name);
        const handler = (handlers as Record<string, unknown>)[name];
        if (method.requestStream) {
          hasSessions = true;
          implementation[name] = serveDuplex(dispatch, allowed, handler as AnyDuplex);
        } else if (method.responseStream) {
          implementation[name] = serveStream(dispatch, allowed, handler as AnyStream);
        } else {
          implementation[name] = serveUnary(dispatch, allowed, handler as AnyUnary);
        }
      }
      // grpc-js has methods of any message, a shape has each of its own.
      const definition = Object.fromEntries(methods) as unknown as ServiceDefinition;
      services.push([definition, implementation]);
    },
    listen: () =>
      new Promise((resolve, reject) => {
        const listening = new Server(toServerOptions(bounds, hasSessions));
        for (const service of services) listening.addService(...service);
        server = listening;
        listening.bindAsync(options.listen, credentials, (error, port) => {
          if (error !== null) {
            reject(error);
            return;
          }
          const address = options.listen.replace(/:0$/, `:${port}`);
          logger.debug({ address }, 'gRPC server is listening');
          resolve({ address });
        });
      }),
    drain: (deadlineMs) =>
      new Promise((resolve) => {
        draining.abort();
        if (server === undefined) {
          resolve();
          return;
        }
        const timer = clock.schedule(deadlineMs, () => {
          server?.forceShutdown();
          resolve();
        });
        server.tryShutdown(() => {
          timer.cancel();
          resolve();
        });
      }),
    async close() {
      draining.abort();
      server?.forceShutdown();
    },
  };
}

function toServerOptions(bounds: RpcServerBounds, hasSessions: boolean): ServerOptions {
  return {
    ...MESSAGE_OPTIONS,
    'grpc.max_concurrent_streams': CONCURRENT_STREAMS_MAX,
    'grpc.keepalive_time_ms': bounds.silenceMs,
    'grpc.keepalive_timeout_ms': bounds.silenceMs,
    ...(hasSessions ? {} : { 'grpc.max_connection_age_ms': bounds.connectionAgeMs }),
  };
}

type AnyUnary = (request: unknown, call: CallInfo) => Promise<unknown>;
type AnyStream = (request: unknown, call: CallInfo, out: ResponseStream<unknown>) => Promise<void>;
type AnyDuplex = (call: CallInfo, stream: ServerDuplex<unknown, unknown>) => Promise<void>;

/** Authenticates and authorises the peer; throws the AppError that refuses it. */
function admit(dispatch: Dispatch, allowed: readonly ServiceName[], call: ServerCall): CallInfo {
  const context = fromMetadata(call.metadata);
  const peer = dispatch.verify(call, context.token === '' ? undefined : context.token);
  if (peer === undefined) {
    // UNAUTHORIZED is a verdict on the key or session that a call asks about, not on who calls.
    throw new AppError('SERVICE_UNAVAILABLE', {
      internalMessage:
        'the caller does not prove which service it is: it has another TOLLGATE_SERVICE_SECRET, ' +
        'or a certificate without the name of a service',
    });
  }
  if (!allowed.includes(peer)) {
    throw new AppError('FORBIDDEN', {
      internalMessage: `${peer} may not call ${call.getPath()}`,
    });
  }
  return createCallInfo(call, { ...context, peer }, dispatch.clock, dispatch.draining);
}

/** Server faults are ours to see; refusals are the peer's business. */
function report(dispatch: Dispatch, call: ServerCall, error: unknown): void {
  if (isFullyReported(error)) return;
  dispatch.logger.warn({ path: call.getPath(), error }, 'call failed');
}

function serveUnary(
  dispatch: Dispatch,
  allowed: readonly ServiceName[],
  handler: AnyUnary,
): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    const fail = (error: unknown) => {
      report(dispatch, call, error);
      callback(toStatus(error));
    };
    let info: CallInfo;
    try {
      info = admit(dispatch, allowed, call);
    } catch (error) {
      fail(error);
      return;
    }
    handler(call.request, info).then((response) => callback(null, response), fail);
  };
}

function serveStream(
  dispatch: Dispatch,
  allowed: readonly ServiceName[],
  handler: AnyStream,
): handleServerStreamingCall<unknown, unknown> {
  return (call: ServerWritableStream<unknown, unknown>) =>
    serveToEnd(dispatch, allowed, call, (info) =>
      handler(call.request, info, {
        write: (message) => (call.cancelled ? true : call.write(message)),
        drained: () => drained(call),
      }),
    );
}

/** Runs the handler of a stream, which ends with it, or with its failure. */
function serveToEnd(
  dispatch: Dispatch,
  allowed: readonly ServiceName[],
  call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
  handle: (info: CallInfo) => Promise<void>,
): void {
  // A stream whose peer is gone emits errors that nobody is left to hear.
  call.on('error', () => {});
  const run = async () => handle(admit(dispatch, allowed, call));
  run().then(
    () => call.end(),
    (error: unknown) => {
      report(dispatch, call, error);
      call.emit('error', toStatus(error));
    },
  );
}

/** Resolves at the next drain, or when the call is over and nothing will drain. */
function drained(call: ServerWritableStream<unknown, unknown>): Promise<void> {
  if (call.cancelled || call.destroyed || !call.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      call.off('close', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
    call.on('close', done);
  });
}

function serveDuplex(
  dispatch: Dispatch,
  allowed: readonly ServiceName[],
  handler: AnyDuplex,
): handleBidiStreamingCall<unknown, unknown> {
  return (call: ServerDuplexStream<unknown, unknown>) =>
    serveToEnd(dispatch, allowed, call, (info) => handler(info, fromServerDuplex(call)));
}

function fromServerDuplex(
  call: ServerDuplexStream<unknown, unknown>,
): ServerDuplex<unknown, unknown> {
  return {
    accept: () => {
      if (!call.cancelled) call.sendMetadata(new Metadata());
    },
    onMessage: (listener) => {
      call.on('data', listener);
    },
    onEnd: (listener) => {
      const once = onlyOnce(listener);
      call.on('end', () => once());
      call.on('cancelled', () => once(new AppError('SERVICE_UNAVAILABLE')));
    },
    write: (message) => (call.cancelled ? true : call.write(message)),
    onDrain: (listener) => {
      call.on('drain', listener);
    },
    pause: () => {
      call.pause();
    },
    resume: () => {
      call.resume();
    },
  };
}
