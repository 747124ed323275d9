import type { CallSummary, Clock, Logger } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type { RoutingClient } from './routing-client';

export interface ReportingDependencies {
  readonly takeOutcomes: () => readonly CallSummary[];
  readonly routing: Pick<RoutingClient, 'reportOutcomes'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/**
 * Tells routing how the channels do. A report that fails is dropped: the next one is newer, and
 * nothing but health depends on it.
 */
export function startReporting(deps: ReportingDependencies): { stop(): void } {
  const { intervalMs, logger, routing, takeOutcomes } = deps;
  const stopping = new AbortController();
  const run = async () => {
    const outcomes = takeOutcomes();
    try {
      if (outcomes.length > 0) await routing.reportOutcomes(outcomes);
    } catch (error) {
      logger.debug({ error }, 'routing did not take a report');
    }
  };
  const work = { name: 'reports to routing', intervalMs, firstAfterMs: intervalMs, run };
  void repeat(work, deps, stopping.signal);
  return { stop: () => stopping.abort() };
}
