import { AppError, type ServiceName } from '@tollgate/core';
import type { Handlers, RpcServer } from '@tollgate/rpc';

type AnyHandler = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Adds a service to the server; the callers may call each of its methods. A method without a handler
 * at the time of the call answers INTERNAL_ERROR, so a test may add handlers while it runs.
 */
export function addFakeService<Shape extends object>(
  server: RpcServer,
  shape: Shape,
  callers: readonly ServiceName[],
  handlers: Partial<Handlers<Shape>>,
): void {
  const written = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  // The server asks for the handler of each method when the service is added.
  const all = new Proxy(written, {
    get:
      (_target, name: string): AnyHandler =>
      async (...args) => {
        const handler = written[name];
        if (handler !== undefined) return handler(...args);
        throw new AppError('INTERNAL_ERROR', { internalMessage: `${name} is not faked` });
      },
  });
  server.addService(shape, callers, all as Handlers<Shape>);
}
