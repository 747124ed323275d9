import { type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import type { EndpointId } from '../domain/endpoint';

/** The store could not do what was asked for this endpoint; it may do so for others. */
export interface StoreFailure {
  readonly endpointId: EndpointId;
  readonly error: unknown;
}

/**
 * Due endpoints that the store failed with. Rounds follow each other at once while there is much to
 * send, and each of them would try these again.
 */
export interface SkippedEndpoints {
  /** Those that are passed over now. */
  ids(): readonly EndpointId[];
  /** The store did not fail with it. */
  succeeded(endpointId: EndpointId): void;
  /** Skips those of a round from now on, with one warning for all that succeeded since the last. */
  failed(failures: readonly StoreFailure[]): void;
}

export interface SkippedEndpointsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly skipMs: number;
  /** How many are remembered: at least as many as one round may work with. */
  readonly endpointsMax: number;
}

/** Remembers them in memory: another leader tries them at once, and warns again. */
export function createSkippedEndpoints(options: SkippedEndpointsOptions): SkippedEndpoints {
  const { clock, logger, skipMs } = options;
  const skippedUntilMonotonicMs = createBoundedMap<EndpointId, number>(options.endpointsMax);
  return {
    ids() {
      const monotonicNowMs = clock.monotonicMs();
      return [...skippedUntilMonotonicMs.entries()]
        .filter(([, until]) => monotonicNowMs < until)
        .map(([id]) => id);
    },
    succeeded(endpointId) {
      skippedUntilMonotonicMs.delete(endpointId);
    },
    failed(failures) {
      const untilMonotonicMs = clock.monotonicMs() + skipMs;
      const news = failures.filter(
        ({ endpointId }) => skippedUntilMonotonicMs.get(endpointId) === undefined,
      );
      for (const { endpointId } of failures)
        skippedUntilMonotonicMs.set(endpointId, untilMonotonicMs);
      const [first] = news;
      if (first === undefined) return;
      const counted = { ...first, endpoints: news.length };
      logger.warn(counted, 'the store failed with due endpoints, first with this one');
    },
  };
}
