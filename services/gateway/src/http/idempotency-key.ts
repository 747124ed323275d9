import type { IncomingHttpHeaders } from 'node:http';
import { IDEMPOTENCY_KEY } from '@tollgate/core';
import { invalidField } from './errors';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Of an answer that is that of an earlier request. */
export const REPLAYED_HEADER = 'Idempotency-Replayed';

/** The key of a request; undefined without one. Throws VALIDATION_ERROR for one of another form. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw invalidField(IDEMPOTENCY_KEY_HEADER, 'must be 1 to 255 visible ASCII characters.');
  }
  return key;
}
