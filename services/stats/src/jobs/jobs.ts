import { once } from 'node:events';
import type { Clock, Logger } from '@tollgate/core';
import { createLeader, type JobLeaseStore, type Jobs, repeat } from '@tollgate/jobs';

export interface StatsJobsOptions {
  readonly leases: JobLeaseStore;
  /** Looks what the starts of other replicas have thrown away. */
  readonly rereadRetention: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const REREAD_INTERVAL_MS = 60_000;
const LEADER_TTL_MS = 15_000;

/**
 * The work of every replica. A leader has none: one is elected so that `tollgate restore` sees by its
 * lease that stats runs, whose memory of what it counted does not go back with the store.
 */
export function createStatsJobs(options: StatsJobsOptions): Jobs {
  const { leases: store, rereadRetention, clock, logger } = options;
  const leader = createLeader({
    store,
    group: 'stats-jobs',
    ttlMs: LEADER_TTL_MS,
    clock,
    logger,
  });
  const rereading = {
    name: 'read-retention',
    intervalMs: REREAD_INTERVAL_MS,
    firstAfterMs: REREAD_INTERVAL_MS,
    run: rereadRetention,
  };
  const stopping = new AbortController();
  let repeated: Promise<void> | undefined;
  return {
    start() {
      repeated = repeat(rereading, { clock, logger }, stopping.signal);
      leader.start(async ({ signal }) => void (await once(signal, 'abort')));
    },
    async stop() {
      stopping.abort();
      await Promise.all([leader.stop(), repeated]);
    },
  };
}
