import type { Counter, Metrics } from '@tollgate/observability';

/** Every metric of the service. */
export interface StatsMetrics {
  readonly entriesApplied: Counter;
  readonly batchesFailed: Counter;
}

export function createStatsMetrics(metrics: Metrics): StatsMetrics {
  return {
    entriesApplied: metrics.counter({
      name: 'tollgate_stats_ledger_entries_received_total',
      help: 'Ledger entries that were received and are in the figures, repeated ones included.',
    }),
    batchesFailed: metrics.counter({
      name: 'tollgate_stats_batches_failed_total',
      help: 'Batches that could not be applied and come again.',
    }),
  };
}
