import type { JsonObject } from '@tollgate/core';
import type { VendorFailure } from '../../domain/vendor';
import { type RefusalKind, streamEnded } from '../protocol/failures';
import { asText } from '../protocol/json';

const KINDS: ReadonlyMap<string, RefusalKind> = new Map(
  Object.entries({
    authentication_error: 'credential',
    permission_error: 'credential',
    billing_error: 'credit',
    rate_limit_error: 'rate_limited',
    timeout_error: 'timeout',
    invalid_request_error: 'request',
    request_too_large: 'request',
  } as const),
);

/** The failure of an error event: within an answer the vendor has spent work on it. */
export function streamedFailure(error: JsonObject | undefined, begun: boolean): VendorFailure {
  const type = asText(error?.type);
  // Only words of the protocol: the rest of the event may hold anything.
  const known = /^[a-z_]{1,40}$/.test(type) ? type : 'error';
  const internalMessage = `the vendor streamed ${known}`;
  return streamEnded(error, internalMessage, begun ? undefined : (KINDS.get(type) ?? 'failure'));
}
