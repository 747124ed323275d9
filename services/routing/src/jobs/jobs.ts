import type { Clock, Logger } from '@tollgate/core';
import { createJobs, type JobLeaseStore, type Jobs, type RepeatedWork } from '@tollgate/jobs';
import type { ChannelEventPublisher, ChannelOutbox, ChannelStore } from '../domain/ports';
import { createProbeChannels, type ProbeChannelsOptions } from '../operations/probe-channels';
import { createPublishOutbox } from '../operations/publish-outbox';

export interface RoutingJobsOptions {
  readonly leases: JobLeaseStore;
  readonly channels: ChannelStore & ChannelOutbox;
  readonly publisher: ChannelEventPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaderTtlMs: number;
  readonly probeIntervalMs: number;
  readonly healthWriteIntervalMs: number;
  /** Of vendor credentials. */
  readonly reseal: RepeatedWork;
  readonly checkHealth: ProbeChannelsOptions['checkHealth'];
  writeObservedHealth(): Promise<void>;
}

const RELAY_INTERVAL_MS = 1_000;
/** Between reads while no channel has anything to tell. */
const RELAY_RESTING_MS = 5_000;

/** The work of every replica, and that of the one which holds the job lease. */
export function createRoutingJobs(options: RoutingJobsOptions): Jobs {
  const { leases, leaderTtlMs, clock, logger } = options;
  const leaderJobs = [
    {
      name: 'publish-outbox',
      intervalMs: RELAY_INTERVAL_MS,
      restingMs: RELAY_RESTING_MS,
      run: createPublishOutbox(options),
    },
    probesOf(options, 'shared', 'probe-shared-channels'),
    probesOf(options, 'owned', 'probe-channels-of-accounts'),
    options.reseal,
  ];
  const healthWriter = {
    name: 'write-observed-health',
    intervalMs: options.healthWriteIntervalMs,
    run: options.writeObservedHealth,
  };
  const jobs = createJobs({
    group: 'routing-jobs',
    leases,
    leaderTtlMs,
    clock,
    logger,
    replicaJobs: [healthWriter],
    leaderJobs,
  });
  return {
    start: () => jobs.start(),
    async stop() {
      await jobs.stop();
      // Reports that came since the last round.
      await options.writeObservedHealth().catch((error: unknown) => {
        logger.warn({ error }, 'observed health cannot be written at the stop');
      });
    },
  };
}

function probesOf(
  options: RoutingJobsOptions,
  ownership: ProbeChannelsOptions['ownership'],
  name: string,
): RepeatedWork {
  const { probeIntervalMs } = options;
  const run = createProbeChannels({ ...options, ownership });
  return { name, intervalMs: probeIntervalMs, firstAfterMs: probeIntervalMs, run };
}
