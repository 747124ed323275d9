import type { AppError, ErrorCode } from '@tollgate/core';

/** Whether it was refused before a vendor was asked: a vendor's refusal has a usage record. */
export function isRefusedRequest(failure: AppError): boolean {
  return !countsInDay(failure) && !failure.recorded;
}

/**
 * Whether a request that failed so counts in the limit of the day: not when nothing was done for the
 * client, be it that a vendor refused.
 */
export function countsInDay({ code, retryable }: AppError): boolean {
  const counts = COUNTS_IN_DAY[code];
  return counts === 'unless it may be repeated' ? !retryable : counts;
}

const COUNTS_IN_DAY: Readonly<Record<ErrorCode, boolean | 'unless it may be repeated'>> = {
  VALIDATION_ERROR: false,
  CONTEXT_LENGTH_EXCEEDED: false,
  CONTENT_POLICY: false,
  PAYLOAD_TOO_LARGE: false,
  UNSUPPORTED_MEDIA_TYPE: false,
  NOT_FOUND: false,
  FORBIDDEN: false,
  INSUFFICIENT_BALANCE: false,
  KEY_BUDGET_EXCEEDED: false,
  COST_LIMIT: false,
  RATE_LIMIT_EXCEEDED: false,
  CONFLICT: false,
  IDEMPOTENCY_MISMATCH: false,
  // Then it cost nothing.
  SERVICE_UNAVAILABLE: 'unless it may be repeated',
  UNAUTHORIZED: true,
  INVALID_CREDENTIALS: true,
  METHOD_NOT_ALLOWED: true,
  REQUEST_TIMEOUT: true,
  HEADERS_TOO_LARGE: true,
  // A vendor may have been asked.
  DATABASE_ERROR: true,
  INTERNAL_ERROR: true,
  UPSTREAM_ERROR: true,
  UPSTREAM_TIMEOUT: true,
};
