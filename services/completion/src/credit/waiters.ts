import { type AppError, minNano, type Nano } from '@tollgate/core';
import { creditUnavailable, type Reservation, type ReservationRequest } from './reservation';

/** A request that waits for billing's answer. */
export interface Waiter {
  readonly request: ReservationRequest;
  /** The least that helps it: the request's, or all that the account has where less was no help. */
  minimum: Nano;
  /** Answers of billing after which it still has no credit. */
  answersSeen: number;
  readonly resolve: (reservation: Reservation) => void;
  readonly reject: (error: AppError) => void;
}

/** Takes the waiter out of the queue; false when it was served already. */
export function removeWaiter(waiting: Waiter[], waiter: Waiter): boolean {
  const index = waiting.indexOf(waiter);
  if (index < 0) return false;
  waiting.splice(index, 1);
  return true;
}

/** A request whose client is gone waits no longer. */
export function dropWhenAborted(
  waiting: Waiter[],
  waiter: Waiter,
  promise: Promise<Reservation>,
): void {
  const { signal } = waiter.request;
  const onAbort = () => {
    if (removeWaiter(waiting, waiter)) waiter.reject(creditUnavailable('the client is gone'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const forget = () => signal.removeEventListener('abort', onAbort);
  promise.then(forget, forget);
}

/**
 * The least that helps one of those who have waited longest. One refusal then decides about all of
 * them, and none is put off for ever by newcomers that need less.
 */
export function minimumToAsk(asking: readonly Waiter[]): Nano {
  const seenMax = Math.max(...asking.map(({ answersSeen }) => answersSeen));
  const longest = asking.filter(({ answersSeen }) => answersSeen === seenMax);
  return longest.map(({ minimum }) => minimum).reduce(minNano);
}
