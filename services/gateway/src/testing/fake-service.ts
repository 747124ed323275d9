import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import {
  type CallerPolicy,
  type ControlPlaneName,
  completionDefinition,
  controlPlane,
  createRpcServer,
  type Handlers,
  type RpcServer,
} from '@tollgate/rpc';
import { makeSocketPath } from '@tollgate/testkit';

export const TEST_SECRET = 'a-service-secret-for-tests-only-0123456789';

type ControlShape<Name extends ControlPlaneName> = ReturnType<typeof controlPlane<Name>>;
export type ControlHandlers<Name extends ControlPlaneName> = Writable<Handlers<ControlShape<Name>>>;
export type CompletionHandlers = Writable<Handlers<typeof completionDefinition>>;

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
export function startFakeControl<Name extends ControlPlaneName>(
  name: Name,
  handlers: ControlHandlers<Name>,
): Promise<FakeService<ControlHandlers<Name>>> {
  return start(controlPlane(name), handlers);
}

/** Starts a fake of a completion instance. */
export function startFakeCompletion(
  handlers: CompletionHandlers,
): Promise<FakeService<CompletionHandlers>> {
  return start(completionDefinition, handlers);
}

type AnyHandler = (...args: readonly unknown[]) => Promise<unknown>;

async function start<Shape extends object, Overrides extends object>(
  shape: Shape,
  handlers: Overrides,
): Promise<FakeService<Overrides>> {
  const socket = await makeSocketPath();
  const server: RpcServer = createRpcServer({
    listen: `unix:${socket.path}`,
    security: { serviceSecret: TEST_SECRET, plaintext: false },
    host: { clock: createSystemClock(), logger: silentLogger },
  });
  const calls: (readonly [string, unknown])[] = [];
  const all: Record<string, AnyHandler> = {};
  const policy: Record<string, readonly string[]> = {};
  for (const method of Object.keys(shape)) {
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    policy[name] = ['gateway'];
    all[name] = async (...args) => {
      calls.push([name, args[0]]);
      const handler = (handlers as Record<string, AnyHandler | undefined>)[name];
      if (handler === undefined) {
        throw new AppError('INTERNAL_ERROR', { internalMessage: `${name} is not faked` });
      }
      return handler(...args);
    };
  }
  server.addService(shape, policy as CallerPolicy<Shape>, all as unknown as Handlers<Shape>);
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
