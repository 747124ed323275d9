import type { ServerUnaryCall } from '@grpc/grpc-js';
import type { Clock, ServiceName } from '@tollgate/core';
import type { CallContext } from './metadata';

/** The members that every kind of call has on the server. */
export type ServerCall = Pick<
  ServerUnaryCall<unknown, unknown>,
  'cancelled' | 'metadata' | 'getAuthContext' | 'getDeadline' | 'getPath'
> & { once(event: 'cancelled', listener: () => void): unknown };

/** A call as its handler sees it, besides the request. */
export interface CallInfo extends CallContext {
  readonly peer: ServiceName;
  /** Milliseconds that the peer still waits; Infinity for streams without a deadline. */
  readonly deadlineMs: number;
  /** Aborts when the peer cancels, goes away, or its deadline passes. */
  readonly signal: AbortSignal;
  /** Aborts when the server starts to drain: endless streams should end then. */
  readonly draining: AbortSignal;
}

/** Builds the CallInfo; the abort controller is made only if a handler asks for the signal. */
export function createCallInfo(
  call: ServerCall,
  context: CallContext & { readonly peer: ServiceName },
  clock: Clock,
  draining: AbortSignal,
): CallInfo {
  let controller: AbortController | undefined;
  return {
    peer: context.peer,
    requestId: context.requestId,
    accountId: context.accountId,
    traceparent: context.traceparent,
    draining,
    get deadlineMs() {
      const deadline = call.getDeadline();
      const epochMs = typeof deadline === 'number' ? deadline : deadline.getTime();
      return epochMs - clock.now();
    },
    get signal() {
      if (controller === undefined) {
        const created = new AbortController();
        controller = created;
        if (call.cancelled) created.abort();
        else call.once('cancelled', () => created.abort());
      }
      return controller.signal;
    },
  };
}
