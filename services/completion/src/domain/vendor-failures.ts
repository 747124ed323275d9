import { AppError } from '@tollgate/core';
import { VendorFailure } from './vendor';

/** We ended the call. */
export function aborted(): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'the call was aborted' });
  return new VendorFailure(error, 'aborted', false);
}

/** The call was not made, so another channel may be tried at no risk. */
export function notSent(internalMessage: string, cause?: unknown): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', { internalMessage, cause });
  return new VendorFailure(error, 'not_sent', true);
}

/** The vendor's stream ended before its answer did. */
export function brokenOff(): VendorFailure {
  const error = new AppError('UPSTREAM_ERROR', {
    publicMessage: 'The model vendor broke the answer off.',
    internalMessage: 'the stream ended without a finish reason',
    retryable: false,
  });
  return new VendorFailure(error, 'failure', false);
}
