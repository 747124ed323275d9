import { assertNever } from '@tollgate/core';
import { retryDelayMs } from './retry-schedule';

/** What came of one attempt. */
export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** What the receiver asks for, already capped; 0 when it does not. */
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: 'timeout' | 'unreachable' | 'refused_address' }
  /** Nothing was sent for a reason of our own: it says nothing about the receiver. */
  | { readonly kind: 'not_sent'; readonly delayMs: number };

/** What follows from it for the delivery. */
export type AttemptVerdict =
  | { readonly kind: 'succeeded'; readonly statusCode: number }
  | {
      readonly kind: 'retry';
      readonly statusCode: number | null;
      readonly error: string;
      readonly delayMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly statusCode: number | null;
      readonly error: string;
      /** The receiver said that it is gone for good. */
      readonly gone: boolean;
    }
  | { readonly kind: 'postponed'; readonly delayMs: number };

const GONE = 410;

/** Judges attempt number `attempt` (from 1) of the present round. */
export function judgeAttempt(
  result: AttemptResult,
  attempt: number,
  random: () => number,
): AttemptVerdict {
  if (result.kind === 'not_sent') return { kind: 'postponed', delayMs: result.delayMs };
  if (result.kind === 'failed') {
    return retryOrFail({ statusCode: null, error: sentenceOf(result.reason) }, attempt, 0, random);
  }
  const { status: statusCode, retryAfterMs } = result;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'succeeded', statusCode };
  if (statusCode === GONE) {
    const error = 'The receiver answered 410 Gone, so the endpoint was disabled.';
    return { kind: 'failed', statusCode, error, gone: true };
  }
  return retryOrFail(
    { statusCode, error: statusSentence(statusCode) },
    attempt,
    retryAfterMs,
    random,
  );
}

function retryOrFail(
  failure: { readonly statusCode: number | null; readonly error: string },
  attempt: number,
  retryAfterMs: number,
  random: () => number,
): AttemptVerdict {
  const delayMs = retryDelayMs(attempt, random);
  if (delayMs === undefined) return { kind: 'failed', ...failure, gone: false };
  return { kind: 'retry', ...failure, delayMs: Math.max(delayMs, retryAfterMs) };
}

function statusSentence(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered with a redirect (HTTP status ${status}), which is not followed.`;
  }
  return `The receiver answered with HTTP status ${status}.`;
}

function sentenceOf(reason: Extract<AttemptResult, { kind: 'failed' }>['reason']): string {
  switch (reason) {
    case 'timeout':
      return 'The receiver did not answer in time.';
    case 'unreachable':
      return 'The receiver could not be reached or broke off.';
    case 'refused_address':
      return 'The host of this URL cannot be used.';
    default:
      return assertNever(reason);
  }
}

/** True when an endpoint has failed for so long, without one success, that it is to be disabled. */
export function hasFailedTooLong(
  failingSinceMs: number | null,
  nowMs: number,
  disableAfterMs: number,
): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= disableAfterMs;
}
