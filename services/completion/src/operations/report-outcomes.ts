import type { Clock, Logger, Timer } from '@tollgate/core';
import type { ChannelOutcome, RoutingPort } from '../domain/ports';

/** What reporting works with. */
export interface ReportingDependencies {
  readonly takeOutcomes: () => readonly ChannelOutcome[];
  readonly routing: RoutingPort;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/**
 * Tells routing how the channels do. A report that fails is dropped: the next one is newer, and
 * nothing but health depends on it.
 */
export function startReporting(deps: ReportingDependencies): { stop(): void } {
  const { clock, intervalMs, logger, routing, takeOutcomes } = deps;
  let timer: Timer | undefined;
  let stopped = false;
  const run = async () => {
    const outcomes = takeOutcomes();
    try {
      if (outcomes.length > 0) await routing.reportOutcomes(outcomes);
    } catch (error) {
      logger.debug({ error }, 'routing did not take a report');
    }
    if (!stopped) timer = clock.schedule(intervalMs, () => void run());
  };
  timer = clock.schedule(intervalMs, () => void run());
  return {
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
