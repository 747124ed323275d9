import { createId, type RequestId } from '@tollgate/core';

/** Letters, digits and the usual separators; anything else could forge a log line. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The ids that belong to one request. */
export interface RequestIds {
  /** Always ours. */
  readonly requestId: RequestId;
  /** The caller's own, when it is well formed; empty otherwise. */
  readonly clientRequestId: string;
  /** W3C trace context of the caller; empty when absent or malformed. */
  readonly traceparent: string;
}

/** Makes our id and keeps the caller's beside it. */
export function createRequestIds(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): RequestIds {
  const client = headers['x-request-id'];
  const trace = headers.traceparent;
  return {
    requestId: createId('request'),
    clientRequestId: typeof client === 'string' && CLIENT_REQUEST_ID.test(client) ? client : '',
    traceparent: typeof trace === 'string' && TRACEPARENT.test(trace) ? trace : '',
  };
}
