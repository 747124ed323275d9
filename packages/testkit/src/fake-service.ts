import { AppError, type ServiceName } from '@tollgate/core';
import type { Handlers, RpcServer } from '@tollgate/rpc';

type AnyHandler = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Adds a service to the server, of which these callers may ask everything and get an answer from
 * the handlers that a test has written by then; all else is INTERNAL_ERROR.
 */
export function addFakeService<Shape extends object>(
  server: RpcServer,
  shape: Shape,
  callers: readonly ServiceName[],
  handlers: Partial<Handlers<Shape>>,
): void {
  const written = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  const all: Record<string, AnyHandler> = {};
  for (const method of Object.keys(shape)) {
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    all[name] = async (...args) => {
      const handler = written[name];
      if (handler !== undefined) return handler(...args);
      throw new AppError('INTERNAL_ERROR', { internalMessage: `${name} is not faked` });
    };
  }
  // Made of the shape's own names, which the compiler does not follow.
  server.addService(shape, callers, all as Handlers<Shape>);
}
