import type { Clock, Logger } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type { IdentityConfig } from '../config';
import type { Dependencies } from '../operations/dependencies';
import { notifyExpiringKeys } from './expiry-notices';

export interface BackgroundJobsOptions extends Pick<Dependencies, 'keys' | 'outbox' | 'lastUse'> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<
    IdentityConfig,
    'lastUseFlushMs' | 'relayIntervalMs' | 'expiryCheckIntervalMs'
  >;
  maintainSigningKeys(): Promise<void>;
}

const SIGNING_KEY_CHECK_MS = 60_000;

/** What the service does without being asked: some of it in every replica, some as the leader. */
export function createBackgroundJobs(options: BackgroundJobsOptions) {
  const { config, lastUse, outbox, maintainSigningKeys } = options;
  const replicaJobs = [
    { name: 'signing-keys', intervalMs: SIGNING_KEY_CHECK_MS, run: maintainSigningKeys },
    { name: 'last-uses', intervalMs: config.lastUseFlushMs, run: () => lastUse.flush() },
  ];
  const leaderJobs = [
    { name: 'outbox-relay', intervalMs: config.relayIntervalMs, run: outbox.relayPending },
    {
      name: 'expiry-notices',
      intervalMs: config.expiryCheckIntervalMs,
      run: () => notifyExpiringKeys(options),
    },
  ];
  const runAll = async (jobs: typeof replicaJobs | typeof leaderJobs, signal: AbortSignal) => {
    await Promise.all(jobs.map((job) => repeat(job, options, signal)));
  };
  return {
    runReplicaJobs: (signal: AbortSignal) => runAll(replicaJobs, signal),
    runLeaderJobs: (signal: AbortSignal) => runAll(leaderJobs, signal),
  };
}
