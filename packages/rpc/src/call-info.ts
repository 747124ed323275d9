import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import type { Clock, ServiceName } from '@tollgate/core';

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

/** The context that travels with every call, set once at the gateway. */
export interface CallContext {
  readonly requestId: string;
  readonly accountId: string;
  /** W3C trace context; empty when the request is not traced. */
  readonly traceparent: string;
}

const TOKEN = 'x-tollgate-caller';
const REQUEST_ID = 'x-request-id';
const ACCOUNT_ID = 'x-account-id';
const TRACEPARENT = 'traceparent';

/** Metadata that is the same in every call of one client. */
export function createBaseMetadata(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set(TOKEN, token);
  return metadata;
}

/** The base metadata with this call's context; the base itself when there is no context. */
export function toMetadata(base: Metadata, context: Partial<CallContext>): Metadata {
  if (!context.requestId && !context.accountId && !context.traceparent) return base;
  const metadata = base.clone();
  if (context.requestId) metadata.set(REQUEST_ID, context.requestId);
  if (context.accountId) metadata.set(ACCOUNT_ID, context.accountId);
  if (context.traceparent) metadata.set(TRACEPARENT, context.traceparent);
  return metadata;
}

/** Reads the context that a peer sent; absent members are empty. */
export function fromMetadata(metadata: Metadata): CallContext & { readonly token: string } {
  return {
    token: first(metadata, TOKEN),
    requestId: first(metadata, REQUEST_ID),
    accountId: first(metadata, ACCOUNT_ID),
    traceparent: first(metadata, TRACEPARENT),
  };
}

function first(metadata: Metadata, key: string): string {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : '';
}
