import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import {
  type CallInfo,
  completionDefinition,
  createRpcServer,
  type DefinedService,
  definitionOf,
  type Handlers,
  type ResponseStream,
  type RpcServer,
  type ServerDuplex,
  type SessionCall,
  type SessionOutput,
  serveSession,
} from '@tollgate/rpc';
import { addFakeService, makeSocketPath } from '@tollgate/testkit';

export const TEST_SECRET = 'a-service-secret-for-tests-only-0123456789';

type ControlShape<Name extends DefinedService> = ReturnType<typeof definitionOf<Name>>;
export type ControlHandlers<Name extends DefinedService> = Writable<Handlers<ControlShape<Name>>>;
export type CompletionHandlers = Writable<
  Handlers<typeof completionDefinition> & CompletionAnswers
>;

/** What a streamed answer is made of: a head, chunks, an end. */
export interface StreamFrame {
  readonly frame: Extract<
    completionV1.SessionResponseFrame['event'],
    { $case: 'head' | 'chunk' | 'end' }
  >;
}

interface CompletionAsk {
  readonly input: completionV1.CompletionInput | undefined;
}

/** How the requests of a session are answered, whole and streamed. */
interface CompletionAnswers {
  complete(ask: CompletionAsk, call: CallInfo): Promise<completionV1.CompleteResponse>;
  streamCompletion(
    ask: CompletionAsk,
    call: CallInfo,
    out: ResponseStream<StreamFrame>,
  ): Promise<void>;
}

/** A test writes and rewrites answers as it goes. */
type Writable<Methods> = { -readonly [Name in keyof Methods]?: Methods[Name] };

/** A real gRPC server on a socket of its own, whose answers a test writes. */
export interface FakeService<Overrides> {
  readonly address: string;
  /** Answers from now on; methods that no test wrote answer INTERNAL_ERROR. */
  readonly handlers: Overrides;
  /** Every request so far, as `[method, request]`. */
  readonly calls: (readonly [method: string, request: unknown])[];
  /** Stops answering at once, as a process that was killed. */
  close(): Promise<void>;
}

/** Starts a fake of one of the control-plane services. */
export function startFakeControl<Name extends DefinedService>(
  name: Name,
  handlers: ControlHandlers<Name>,
): Promise<FakeService<ControlHandlers<Name>>> {
  return start(definitionOf(name), handlers);
}

/** A fake instance of completion. */
export interface FakeCompletion extends FakeService<CompletionHandlers> {
  /** Says that it shuts down, as the real one does when it is told to stop. */
  drain(): void;
  /** Takes work or not, as the real one does when its disk fails. */
  setReady(ready: boolean): void;
}

/** Starts a fake of a completion instance; what comes in a session is answered by the handlers. */
export async function startFakeCompletion(
  handlers: CompletionHandlers,
  socketPath?: string,
): Promise<FakeCompletion> {
  const draining = new AbortController();
  const clock = createSystemClock();
  let ready = true;
  const service = await start(completionDefinition, handlers, {
    socketPath,
    session: (callHandler) => (info, stream) =>
      serveSession(info as CallInfo, stream as CompletionDuplex, {
        draining: draining.signal,
        ready: () => ready,
        clock,
        logger: silentLogger,
        handlers: {
          complete: (input, call) =>
            callHandler('complete', { input }, callInfo(info as CallInfo, call)) as CompleteAnswer,
          stream: async (input, call, out) => {
            const context = callInfo(info as CallInfo, call);
            await callHandler('streamCompletion', { input }, context, toResponseStream(out));
          },
        },
      }),
  });
  return {
    ...service,
    drain: () => draining.abort(),
    setReady(now) {
      ready = now;
    },
  };
}

type AnyHandler = (...args: readonly unknown[]) => Promise<unknown>;
type CallHandler = (method: string, ...args: readonly unknown[]) => Promise<unknown>;
type CompletionDuplex = ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;
type CompleteAnswer = Promise<completionV1.CompleteResponse>;

function callInfo({ peer, draining }: CallInfo, call: SessionCall): CallInfo {
  return { ...call, peer, draining };
}

function toResponseStream(out: SessionOutput): ResponseStream<StreamFrame> {
  return {
    drained: () => out.drained(),
    write({ frame }) {
      if (frame.$case === 'chunk') return out.chunk(frame.value.choices);
      if (frame.$case === 'head') out.head(frame.value);
      if (frame.$case === 'end') out.end(frame.value);
      return true;
    },
  };
}

interface FakeOptions {
  /** A fresh one when absent. */
  readonly socketPath?: string | undefined;
  /** Answers sessions by asking the other handlers. */
  readonly session?: (callHandler: CallHandler) => AnyHandler;
}

async function start<Shape extends object, Overrides extends object>(
  shape: Shape,
  handlers: Overrides,
  options: FakeOptions = {},
): Promise<FakeService<Overrides>> {
  const socket = await makeSocketPath();
  const server: RpcServer = createRpcServer({
    listen: `unix:${options.socketPath ?? socket.path}`,
    security: { serviceSecret: TEST_SECRET, plaintext: false },
    host: { clock: createSystemClock(), logger: silentLogger },
  });
  const calls: (readonly [string, unknown])[] = [];
  const callHandler: CallHandler = async (name, ...args) => {
    calls.push([name, args[0]]);
    const handler = (handlers as Record<string, AnyHandler | undefined>)[name];
    if (handler === undefined) {
      throw new AppError('INTERNAL_ERROR', { internalMessage: `${name} is not faked` });
    }
    return handler(...args);
  };
  const session = options.session?.(callHandler);
  const recorded = new Proxy(handlers, {
    get(_handlers, name) {
      if (name === 'session' && session !== undefined) return session;
      return (...args: readonly unknown[]) => callHandler(String(name), ...args);
    },
  });
  addFakeService(server, shape, ['gateway'], recorded as Partial<Handlers<Shape>>);
  const { address } = await server.listen();
  return {
    address,
    handlers,
    calls,
    async close() {
      await server.close();
      await socket.remove();
    },
  };
}
