import { assertNever, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/core';

/** What the receiver did with one attempt. */
export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The pause that the receiver asks for, already capped; 0 without one. */
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'unanswered'; readonly reason: 'timeout' | 'unreachable' | 'refused_address' }
  /** Nothing was sent for a reason of our own: it says nothing about the receiver. */
  | { readonly kind: 'not_sent'; readonly delayMs: number };

/** The delivery's next state after an attempt. */
export type AttemptOutcome =
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

/** The outcome of attempt number `attempt` (from 1) of the retry schedule. */
export function attemptOutcomeOf(
  result: AttemptResult,
  attempt: number,
  random: () => number,
): AttemptOutcome {
  if (result.kind === 'not_sent') return { kind: 'postponed', delayMs: result.delayMs };
  if (result.kind === 'unanswered') {
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
): AttemptOutcome {
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

function sentenceOf(reason: Extract<AttemptResult, { kind: 'unanswered' }>['reason']): string {
  switch (reason) {
    case 'timeout':
      return 'The receiver did not answer in time.';
    case 'unreachable':
      return 'The receiver could not be reached or broke off.';
    case 'refused_address':
      return 'The host of this URL cannot be used: its address must be public.';
    default:
      return assertNever(reason);
  }
}

/** True when an endpoint has failed for so long, without one success, that it is to be disabled. */
export function hasFailedTooLong(
  failingSinceMs: number | null,
  now: number,
  disableAfterMs: number,
): boolean {
  return failingSinceMs !== null && now - failingSinceMs >= disableAfterMs;
}

/** Waits after the first, second, ... failed attempt; the attempt after the last wait is the last. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Up to this part of a wait is added at random, so that a receiver's backlog comes spread out. */
const JITTER = 0.2;

/**
 * The wait after failed attempt number `attempt` (from 1), never shorter than the schedule says;
 * undefined when no attempt follows. `random` gives numbers in [0, 1).
 */
export function retryDelayMs(attempt: number, random: () => number): number | undefined {
  const delayMs = RETRY_DELAYS_MS[attempt - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + JITTER * random()));
}
