import type { Clock, Logger } from '@tollgate/core';
import { createJobs, type JobLeaseStore, type Jobs, type RepeatedWork } from '@tollgate/jobs';
import type { Dependencies } from '../operations/dependencies';
import { notifyExpiringKeys } from '../operations/expiry-notices';
import { createFinishErasures } from '../operations/finish-erasure';

export interface IdentityJobsOptions
  extends Pick<
    Dependencies,
    'accounts' | 'users' | 'keys' | 'remnants' | 'principalLog' | 'relay' | 'lastUse'
  > {
  readonly leases: JobLeaseStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaderTtlMs: number;
  readonly lastUseFlushMs: number;
  readonly relayIntervalMs: number;
  readonly expiryCheckIntervalMs: number;
  /** Of the private keys that sign access tokens. */
  readonly reseal: RepeatedWork;
  maintainSigningKeys(): Promise<void>;
}

const SIGNING_KEY_CHECK_MS = 60_000;
/** Between looks for what others left, while there is nothing: operations relay their own events. */
const NOTIFY_RESTING_MS = 5_000;
const PUBLISH_RESTING_MS = 20_000;
const ERASE_INTERVAL_MS = 1_000;
/** Between looks for accounts that another replica began to erase. */
const ERASE_RESTING_MS = 5_000;

/** The work of every replica, and that of the one which holds the job lease. */
export function createIdentityJobs(options: IdentityJobsOptions): Jobs {
  const { leases, leaderTtlMs, clock, logger, lastUse, relay, maintainSigningKeys } = options;
  const replicaJobs = [
    { name: 'signing-keys', intervalMs: SIGNING_KEY_CHECK_MS, run: maintainSigningKeys },
    { name: 'last-uses', intervalMs: options.lastUseFlushMs, run: lastUse.flush },
  ];
  const intervalMs = options.relayIntervalMs;
  const leaderJobs = [
    // Apart, because nothing that happens to the bus may hold a revocation back.
    {
      name: 'notify-gateways',
      intervalMs,
      restingMs: NOTIFY_RESTING_MS,
      run: relay.notifyPending,
    },
    {
      name: 'publish-outbox',
      intervalMs,
      restingMs: PUBLISH_RESTING_MS,
      run: relay.publishPending,
    },
    {
      name: 'erase-accounts',
      intervalMs: ERASE_INTERVAL_MS,
      restingMs: ERASE_RESTING_MS,
      run: createFinishErasures(options),
    },
    {
      name: 'expiry-notices',
      intervalMs: options.expiryCheckIntervalMs,
      run: (signal: AbortSignal) => notifyExpiringKeys(options, signal),
    },
    options.reseal,
  ];
  return createJobs({
    group: 'identity-jobs',
    leases,
    leaderTtlMs,
    clock,
    logger,
    replicaJobs,
    leaderJobs,
  });
}
