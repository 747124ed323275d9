import type { AppError, ErrorCode } from '@tollgate/core';

/** Whether it was refused before a vendor was asked: a vendor's refusal has a usage record. */
export function isRefusedRequest(failure: AppError): boolean {
  return isRefusedBeforeWork(failure) && !failure.recorded;
}

/**
 * Whether a request ended before any work was begun for it. Such a request does not count in the
 * day, and unless it has a record it is one of the refused requests.
 */
export function isRefusedBeforeWork({ code, retryable }: AppError): boolean {
  const refused = REFUSED_BEFORE_WORK[code];
  return refused === 'when it may be repeated' ? retryable : refused;
}

const REFUSED_BEFORE_WORK: Readonly<Record<ErrorCode, boolean | 'when it may be repeated'>> = {
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
