import { AppError, toAppError } from '@tollgate/core';
import type { VendorUsage } from '../domain/usage';
import type { EndReason, UsageSource } from '../domain/usage-record';
import { VendorFailure } from '../domain/vendor';
import type { StopReason } from './active-runs';

/** How a request ends, before its amount is known. */
export interface Ending {
  readonly reason: EndReason;
  readonly status: 'succeeded' | 'failed';
  readonly errorCode: string | null;
  readonly usage: VendorUsage | undefined;
  /** False when the caller got nothing: then nothing is charged. */
  readonly delivered: boolean;
  /** The answer was cut: counted tokens are a part of it. */
  readonly cut: boolean;
}

/** Where the counts of a request that ends so come from. */
export function sourceOf(ending: Ending, exact: boolean): UsageSource {
  if (!ending.delivered) return 'none';
  if (exact) return 'exact';
  return ending.cut ? 'partial' : 'counted';
}

/** The spool cannot take a record, so nothing may be served that could not be charged. */
export function spoolUnavailable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the usage spool takes no records',
    retryAfterMs: 5000,
  });
}

/** The failure to show for a request that was stopped, or whose vendor failed. */
export function publicFailureOf(stopReason: StopReason | undefined, error: unknown): AppError {
  switch (stopReason) {
    case 'poisoned':
      return spoolUnavailable();
    case 'shutdown':
      return new AppError('SERVICE_UNAVAILABLE', {
        publicMessage: 'The service is shutting down. Please try again.',
        retryAfterMs: 1000,
      });
    case 'deadline':
      return new AppError('UPSTREAM_TIMEOUT', { retryable: false });
    case 'client_gone':
    case undefined:
      return error instanceof VendorFailure ? error.error : toAppError(error);
  }
}

/** Why it ended, in the words of the record. `answering` is true after the vendor's first event. */
export function endReasonOf(
  stopReason: StopReason | undefined,
  error: unknown,
  answering: boolean,
): EndReason {
  switch (stopReason) {
    case 'client_gone':
    case 'deadline':
    case 'shutdown':
      return stopReason;
    case 'poisoned':
      return 'internal_error';
    case undefined:
      if (!(error instanceof VendorFailure)) return 'internal_error';
      if (error.outcome === 'not_sent') return 'no_channel';
      // We ended the call, and nobody had asked for it: a bound of our own was met.
      if (error.outcome === 'aborted') return 'internal_error';
      return answering ? 'vendor_gone' : 'vendor_error';
  }
}
