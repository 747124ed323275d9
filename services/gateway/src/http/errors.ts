import { type AppError, invalid } from '@tollgate/core';
import { JSON_TYPE } from './content-types';

/** A failure as it goes over HTTP. */
export interface FailureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Retry-After of a 503 that names no time: services are usually back within seconds. */
const UNAVAILABLE_RETRY_MS = 1000;

/**
 * Returns the refusal of a request's field or header, to be thrown; `param` is how client libraries
 * find it.
 */
export function invalidField(param: string, rule: string): AppError {
  return invalid(param, `${param}: ${rule}`);
}

/** The failure body; also the payload of an error frame in a stream. */
export function toFailureBody(error: AppError): string {
  return toBody(error, error.code, error.param);
}

/** The same with the codes that clients of the plain paths know from other services. */
export function toPlainFailureBody(error: AppError, param = error.param): string {
  return toBody(error, error.definition.openaiCode ?? error.code, param);
}

function toBody(
  { definition, publicMessage }: AppError,
  code: string,
  param: string | undefined,
): string {
  return JSON.stringify({
    success: false,
    data: null,
    error: { code, message: publicMessage, type: definition.type, param: param ?? null },
    message: null,
  });
}

/** The one place where an AppError becomes an HTTP answer. */
export function toFailureResponse(
  error: AppError,
  toJson: (error: AppError) => string = toFailureBody,
): FailureResponse {
  const status = error.definition.httpStatus;
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
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
  return { status, headers, body: toJson(error) };
}
