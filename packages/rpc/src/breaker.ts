import { AppError } from '@tollgate/core';
import CircuitBreaker from 'opossum';
import { UnansweredError } from './error-mapping';

/** Guards calls to one service. */
export interface Breaker {
  /** Runs the call, or rejects with SERVICE_UNAVAILABLE while open. */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  shutdown(): void;
}

/** Share of failures in the window that opens the breaker. */
const FAILURE_PERCENT = 50;
/** Calls in the window before the share counts. */
const CALLS_MIN = 20;
/** How long it stays open before one call may try. */
const OPEN_MS = 1000;
const WINDOW_MS = 10_000;
const WINDOW_BUCKETS = 10;

/**
 * Only silence counts against a service. Its refusals are answers, SERVICE_UNAVAILABLE too: what it
 * cannot decide for one peer it may well decide for the next.
 */
export function createBreaker(): Breaker {
  const circuit = new CircuitBreaker((call: () => Promise<unknown>) => call(), {
    // Deadlines belong to the calls themselves.
    timeout: false,
    errorThresholdPercentage: FAILURE_PERCENT,
    volumeThreshold: CALLS_MIN,
    resetTimeout: OPEN_MS,
    rollingCountTimeout: WINDOW_MS,
    rollingCountBuckets: WINDOW_BUCKETS,
    rollingPercentilesEnabled: false,
    errorFilter: (error: unknown) =>
      error instanceof AppError && !(error instanceof UnansweredError),
  });
  return {
    async run<Result>(call: () => Promise<Result>): Promise<Result> {
      try {
        return (await circuit.fire(call)) as Result;
      } catch (error) {
        if (!CircuitBreaker.isOurError(error as Error)) throw error;
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: 'breaker open: the service did not answer lately',
          retryAfterMs: OPEN_MS,
          cause: error,
        });
      }
    },
    shutdown: () => circuit.shutdown(),
  };
}
