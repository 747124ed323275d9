import { AppError } from '@tollgate/core';
import { VendorFailure } from '../../domain/vendor';
import type { ReadLimits, VendorHeaders } from '../protocol';

const RETRY_AFTER_DEFAULT_MS = 1000;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The failure that a status means. The vendor's body is not looked at: it is not ours to show. */
export function toFailure(
  status: number,
  headers: VendorHeaders,
  limits: ReadLimits,
  nowMs: number,
): VendorFailure {
  const internalMessage = `the vendor answered ${status}`;
  switch (status) {
    case 401:
    case 403:
      return new VendorFailure(
        new AppError('UPSTREAM_ERROR', { internalMessage }),
        'credential_refused',
        true,
      );
    case 404:
      return new VendorFailure(
        new AppError('UPSTREAM_ERROR', { internalMessage }),
        'failure',
        true,
      );
    case 408:
    case 504:
      return new VendorFailure(
        new AppError('UPSTREAM_TIMEOUT', { internalMessage }),
        'timeout',
        true,
      );
    case 429:
      return new VendorFailure(rateLimited(headers, limits, nowMs), 'rate_limited', true);
    case 400:
    case 413:
    case 422:
      return new VendorFailure(
        new AppError('VALIDATION_ERROR', {
          publicMessage: 'The model vendor refused this request as not valid.',
          internalMessage,
        }),
        'request_refused',
        false,
      );
    default:
      return new VendorFailure(
        new AppError('UPSTREAM_ERROR', { internalMessage }),
        'failure',
        true,
      );
  }
}

/** An answer that cannot be understood: work was spent on it, so the caller is not told to retry. */
export function unreadable(internalMessage: string): VendorFailure {
  const error = new AppError('UPSTREAM_ERROR', { internalMessage, retryable: false });
  return new VendorFailure(error, 'failure', true);
}

// The vendor limits us, not our caller: this is 503, not 429.
function rateLimited(headers: VendorHeaders, limits: ReadLimits, nowMs: number): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The model vendor is at its limit. Please try again shortly.',
    internalMessage: 'the vendor answered 429',
    retryAfterMs: Math.min(retryAfterMs(headers['retry-after'], nowMs), limits.retryAfterMsMax),
  });
}

/** Seconds, or the date of an HTTP header; anything else is as good as none. */
function retryAfterMs(value: string | string[] | undefined, nowMs: number): number {
  if (typeof value !== 'string') return RETRY_AFTER_DEFAULT_MS;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const untilMs = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return untilMs > nowMs ? untilMs - nowMs : RETRY_AFTER_DEFAULT_MS;
}
