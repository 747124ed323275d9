import { CREDIT_STATUSES } from '@tollgate/core';
import type { ResponseHeaders } from '@tollgate/egress';

/**
 * Whether a head promises an answer. `bad`: the status says why not; `explained`: only the body of
 * the refusal says what it means; `bad_type`: a page of HTML with status 200.
 */
type HeadVerdict = 'good' | 'bad' | 'bad_type' | 'explained';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const STREAM_TYPE = /^text\/event-stream\b/i;

/**
 * Statuses of which only the body says what is meant: fault with the request, a limit that ends by
 * itself and for how long, or an account without credit.
 */
const EXPLAINED: ReadonlySet<number> = new Set([400, 403, 413, 422, 429, ...CREDIT_STATUSES]);

/** Whether status and content type promise an answer; a page of HTML with status 200 does not. */
export function checkHead(status: number, headers: ResponseHeaders, stream: boolean): HeadVerdict {
  if (EXPLAINED.has(status)) return 'explained';
  if (status < 200 || status > 299) return 'bad';
  const type = headers['content-type'];
  // A vendor without a content type is judged by its body.
  if (typeof type !== 'string') return 'good';
  return (stream ? STREAM_TYPE : JSON_TYPE).test(type) ? 'good' : 'bad_type';
}
