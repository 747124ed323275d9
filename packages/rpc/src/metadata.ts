import { Metadata } from '@grpc/grpc-js';

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
