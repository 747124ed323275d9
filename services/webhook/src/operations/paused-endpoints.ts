import { type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import type { EndpointId } from '../domain/endpoint';

/** The store could not do what was asked for this endpoint; it may do so for others. */
export interface StoreFailure {
  readonly endpointId: EndpointId;
  readonly error: unknown;
}

/**
 * Due endpoints that the store failed with. Rounds follow each other at once while there is much to
 * send: without a pause each of them would try these again.
 */
export interface PausedEndpoints {
  /** Those that are passed over now. */
  ids(): readonly EndpointId[];
  /** The store did not fail with it. */
  succeeded(endpointId: EndpointId): void;
  /** Pauses those of a round, with one warning for all that have succeeded since the last. */
  failed(failures: readonly StoreFailure[]): void;
}

export interface PausedEndpointsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pauseMs: number;
  /** How many are remembered: at least as many as one round may work with. */
  readonly endpointsMax: number;
}

/** Remembers them in memory: another leader tries them at once, and warns again. */
export function createPausedEndpoints(options: PausedEndpointsOptions): PausedEndpoints {
  const { clock, logger, pauseMs } = options;
  const pausedUntil = createBoundedMap<EndpointId, number>(options.endpointsMax);
  return {
    ids() {
      const monotonicNowMs = clock.monotonicMs();
      return [...pausedUntil.entries()]
        .filter(([, until]) => monotonicNowMs < until)
        .map(([id]) => id);
    },
    succeeded(endpointId) {
      pausedUntil.delete(endpointId);
    },
    failed(failures) {
      const untilMonotonicMs = clock.monotonicMs() + pauseMs;
      const news = failures.filter(({ endpointId }) => pausedUntil.get(endpointId) === undefined);
      for (const { endpointId } of failures) pausedUntil.set(endpointId, untilMonotonicMs);
      const [first] = news;
      if (first === undefined) return;
      const counted = { ...first, endpoints: news.length };
      logger.warn(counted, 'the store failed with due endpoints, first with this one');
    },
  };
}
