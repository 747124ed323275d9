import { AppError } from '@tollgate/core';
import { VendorFailure } from './vendor';
import type { VendorUsage } from './vendor-usage';

/** We ended the call; one that was sent may have been worked on. */
export function aborted(sent: boolean): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the call was aborted',
    retryable: !sent,
  });
  return new VendorFailure(error, 'aborted', { retryElsewhere: false });
}

/**
 * True for a failure after which the vendor may charge us although nothing came of it: its answer
 * was given up or made no sense.
 */
export function mayHaveWorked(error: unknown): boolean {
  if (!(error instanceof VendorFailure)) return false;
  const { outcome } = error;
  const isSent = outcome === 'aborted' || outcome === 'failure' || outcome === 'timeout';
  return isSent && !error.error.retryable;
}

const DETAIL_LENGTH_MAX = 400;

/**
 * What a call met, for operators and without a full stop: what we saw, and what the vendor said as
 * soon as it has.
 */
export function failureDetailOf({ message, words }: VendorFailure): string {
  const named = words?.error ? `${message}, ${words.error}` : message;
  const said = words?.message ? `${named}: ${words.message}` : named;
  return said.replace(/\.$/, '').slice(0, DETAIL_LENGTH_MAX);
}

/** The call was not made, so another channel may be tried at no risk. */
export function notSent(internalMessage: string, cause?: unknown): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', { internalMessage, cause });
  return new VendorFailure(error, 'not_sent', { retryElsewhere: true });
}

/**
 * The answer passes our own bound of what is handed over in one piece: nothing is the matter with
 * the vendor, and another one would be paid for as much again.
 */
export function answerTooLong(usage: VendorUsage, instead: string): VendorFailure {
  const error = new AppError('UPSTREAM_ERROR', {
    publicMessage: `The answer is too long to be given in one piece. Please ask for ${instead}.`,
    internalMessage: 'the answer is longer than TOLLGATE_COMPLETION_ANSWER_BYTES_MAX',
    retryable: false,
  });
  return new VendorFailure(error, 'aborted', { retryElsewhere: false, usage });
}
