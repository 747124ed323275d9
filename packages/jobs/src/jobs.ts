import { createLeader, type JobLeaseStore } from './leader';
import { type JobHost, type RepeatedWork, repeatAll } from './repeat';

/** The background work of a service, and who does it. */
export interface JobsOptions extends JobHost {
  /** Replicas of one group have one leader. */
  readonly group: string;
  readonly leases: JobLeaseStore;
  /** How long a silent leader stays one. */
  readonly leaderTtlMs: number;
  /** The work of every replica. */
  readonly replicaJobs: readonly RepeatedWork[];
  /** The work of the leader alone. */
  readonly leaderJobs: readonly RepeatedWork[];
}

/** Work in the background, from its start to its end. */
export interface Jobs {
  start(): void;
  /** Ends all jobs, waits for the rounds that run, and leaves the leader's work to others. */
  stop(): Promise<void>;
}

/** The work of every replica, and that of the one which holds the job lease. */
export function createJobs(options: JobsOptions): Jobs {
  const { group, leases, leaderTtlMs, replicaJobs, leaderJobs, clock, logger } = options;
  const stopping = new AbortController();
  let replicaWork: Promise<unknown> | undefined;
  const leader = createLeader({ store: leases, group, ttlMs: leaderTtlMs, clock, logger });
  return {
    start() {
      replicaWork = repeatAll(replicaJobs, options, stopping.signal);
      leader.start(({ signal }) => repeatAll(leaderJobs, options, signal));
    },
    async stop() {
      stopping.abort();
      await Promise.all([leader.stop(), replicaWork]);
    },
  };
}
