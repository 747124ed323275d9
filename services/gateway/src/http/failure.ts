import type { AppError } from '@tollgate/core';

/** A failure as it goes over HTTP. */
export interface FailureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, the same on every path. */
  readonly body: string;
}

/** A 503 without a better guess: services are usually back within seconds. */
const UNAVAILABLE_RETRY_MS = 1000;

/**
 * The failure body; also the payload of an error frame in a stream. On the `plain` paths, whose
 * clients were written for other services, it bears the code that they know.
 */
export function toFailureBody(error: AppError, plain = false): string {
  const { plainCode, type } = error.definition;
  return JSON.stringify({
    success: false,
    data: null,
    error: {
      code: plain ? (plainCode ?? error.code) : error.code,
      message: error.publicMessage,
      type,
      param: error.param ?? null,
    },
    message: null,
  });
}

/** The one place where an AppError becomes an HTTP answer. */
export function toFailureResponse(error: AppError, plain: boolean): FailureResponse {
  const status = error.definition.httpStatus;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  const retryAfterMs =
    error.retryAfterMs ?? (error.code === 'SERVICE_UNAVAILABLE' ? UNAVAILABLE_RETRY_MS : undefined);
  if (retryAfterMs !== undefined) {
    const waitMs = Math.max(1, Math.ceil(retryAfterMs));
    headers['Retry-After'] = String(Math.ceil(waitMs / 1000));
    headers['Retry-After-Ms'] = String(waitMs);
  }
  // Client libraries retry some statuses by themselves; this header is how they are told not to.
  if (!error.retryable) headers['X-Should-Retry'] = 'false';
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return { status, headers, body: toFailureBody(error, plain) };
}
