import type { AppError, ErrorCode } from '@tollgate/core';

/** Whether it was refused before a vendor was asked: a vendor's refusal has a usage record. */
export function isRefusedRequest(failure: AppError): boolean {
  return givesDayBack(failure) && !failure.recorded;
}

/**
 * Whether nothing was done for the client, be it that a vendor refused: it does not count in the day.
 */
export function givesDayBack({ code, retryable }: AppError): boolean {
  const gives = GIVES_DAY_BACK[code];
  return gives === 'when it may be repeated' ? retryable : gives;
}

const GIVES_DAY_BACK: Readonly<Record<ErrorCode, boolean | 'when it may be repeated'>> = {
  VALIDATION_ERROR: true,
  CONTEXT_LENGTH_EXCEEDED: true,
  CONTENT_POLICY: true,
  PAYLOAD_TOO_LARGE: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  NOT_FOUND: true,
  FORBIDDEN: true,
  INSUFFICIENT_BALANCE: true,
  KEY_BUDGET_EXCEEDED: true,
  COST_LIMIT: true,
  RATE_LIMIT_EXCEEDED: true,
  CONFLICT: true,
  IDEMPOTENCY_MISMATCH: true,
  // Then it cost nothing.
  SERVICE_UNAVAILABLE: 'when it may be repeated',
  UNAUTHORIZED: false,
  INVALID_CREDENTIALS: false,
  METHOD_NOT_ALLOWED: false,
  REQUEST_TIMEOUT: false,
  HEADERS_TOO_LARGE: false,
  // A vendor may have been asked.
  DATABASE_ERROR: false,
  INTERNAL_ERROR: false,
  UPSTREAM_ERROR: false,
  UPSTREAM_TIMEOUT: false,
};
