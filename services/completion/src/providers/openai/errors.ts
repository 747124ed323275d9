import { AppError } from '@tollgate/core';
import { VendorFailure } from '../../domain/vendor';
import type { ReadLimits, VendorHeaders } from '../protocol';

const RETRY_AFTER_DEFAULT_MS = 1000;

/** The failure that a status means. The vendor's body is not looked at: it is not ours to show. */
export function toFailure(
  status: number,
  headers: VendorHeaders,
  limits: ReadLimits,
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
      return new VendorFailure(rateLimited(headers, limits), 'rate_limited', true);
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
function rateLimited(headers: VendorHeaders, limits: ReadLimits): AppError {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const asked = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : RETRY_AFTER_DEFAULT_MS;
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The model vendor is at its limit. Please try again shortly.',
    internalMessage: 'the vendor answered 429',
    retryAfterMs: Math.min(asked, limits.retryAfterMsMax),
  });
}
