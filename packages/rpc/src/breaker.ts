import { AppError } from '@tollgate/core';
import CircuitBreaker from 'opossum';
import { UnansweredError } from './error-mapping';

/** When a client stops calling a service that does not answer. */
export interface BreakerPolicy {
  /** Share of failures in the window that opens the breaker, percent. Default 50. */
  readonly failurePercent?: number;
  /** Calls in the window before the share counts. Default 20. */
  readonly callsMin?: number;
  /** How long it stays open before one call may try, milliseconds. Default 1000. */
  readonly openMs?: number;
}

/** Guards calls to one service. */
export interface Breaker {
  /** Runs the call, or rejects with SERVICE_UNAVAILABLE while open. */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  shutdown(): void;
}

const WINDOW_MS = 10_000;
const WINDOW_BUCKETS = 10;

/**
 * Only silence counts against a service. Its refusals are answers, SERVICE_UNAVAILABLE too: what it
 * cannot decide for one peer it may well decide for the next.
 */
export function createBreaker(policy: BreakerPolicy): Breaker {
  const openMs = policy.openMs ?? 1000;
  const circuit = new CircuitBreaker((call: () => Promise<unknown>) => call(), {
    // Deadlines belong to the calls themselves.
    timeout: false,
    errorThresholdPercentage: policy.failurePercent ?? 50,
    volumeThreshold: policy.callsMin ?? 20,
    resetTimeout: openMs,
    rollingCountTimeout: WINDOW_MS,
    rollingCountBuckets: WINDOW_BUCKETS,
    rollingPercentilesEnabled: false,
    errorFilter: (error: unknown) =>
      error instanceof AppError &&
      !(error instanceof UnansweredError && error.code === 'SERVICE_UNAVAILABLE'),
  });
  return {
    async run<Result>(call: () => Promise<Result>): Promise<Result> {
      try {
        return (await circuit.fire(call)) as Result;
      } catch (error) {
        if (!CircuitBreaker.isOurError(error as Error)) throw error;
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: 'breaker open: the service did not answer lately',
          retryAfterMs: openMs,
          cause: error,
        });
      }
    },
    shutdown: () => circuit.shutdown(),
  };
}
