import type { IncomingHttpHeaders } from 'node:http';
import { IDEMPOTENCY_KEY } from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from '../../http/idempotency-key';

export const DISCONNECT_HEADER = 'X-Tollgate-On-Disconnect';

/** The headers of a completion that concern its kept answer. */
export interface Keeping {
  /** The name by which the request is known again; empty when it has none. */
  readonly key: string;
  /** The answer is made to its end though the client leaves. */
  readonly finish: boolean;
}

/** Undefined for a request of which nothing is kept. Throws VALIDATION_ERROR. */
export function readKeeping(headers: IncomingHttpHeaders): Keeping | undefined {
  const key = readIdempotencyKey(headers);
  const leaving = headers['x-tollgate-on-disconnect'];
  if (key === undefined && leaving === undefined) return undefined;
  if (leaving !== undefined && leaving !== 'stop' && leaving !== 'finish') {
    throw invalidField(DISCONNECT_HEADER, 'must be stop or finish.');
  }
  if (key === undefined && leaving === 'stop') return undefined;
  // Whoever repeats a request wants the answer of the first one: without the header it is finished.
  return { key: key ?? '', finish: leaving !== 'stop' };
}

/** The headers in the API's document. */
export const keepingHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z
    .string()
    .regex(IDEMPOTENCY_KEY)
    .optional()
    .describe(
      'Makes the request safe to repeat for 24 hours: the same bytes with the same API key are ' +
        'answered as the first time, a stream as a stream, and charged once. Another body is ' +
        'refused with 422; while the first request runs, and when its answer was lost, 409. What ' +
        'an answer of /v1/responses repeats of its request may have 256 KiB; more is refused with 400.',
    ),
  [DISCONNECT_HEADER]: z
    .enum(['stop', 'finish'])
    .optional()
    .describe(
      'What becomes of the answer when the client leaves: it ends and what was delivered is ' +
        'charged, or it is made to its end and kept for 24 hours at ' +
        'GET /v1/requests/{request_id}/answer. stop unless there is an Idempotency-Key.',
    ),
});
