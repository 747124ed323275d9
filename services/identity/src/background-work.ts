import type { Clock, Logger } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type { createAdapters } from './adapters';
import type { IdentityConfig } from './config';
import type { BillingClient } from './domain/ports';
import { createFirstStart } from './operations/first-start';
import { createGrantFirstCredit } from './operations/grant-first-credit';
import { createMaintainSigningKeys } from './operations/maintain-signing-keys';
import { createNotifyExpiringKeys } from './operations/notify-expiring-keys';
import type { LastUseTracker } from './operations/track-last-use';

export interface BackgroundParts {
  readonly config: IdentityConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly adapters: ReturnType<typeof createAdapters>;
  readonly billing: BillingClient;
  readonly lastUse: LastUseTracker;
}

const SIGNING_KEY_CHECK_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What the service does without being asked: once at its start, in every replica, as the leader. */
export function createBackgroundWork(parts: BackgroundParts) {
  const { config, clock, logger, adapters, billing, lastUse } = parts;
  const { firstStarts, relay } = adapters;
  const host = { clock, logger };
  const rotateAfterMs = config.signingKeyRotateDays * DAY_MS;
  const maintainSigningKeys = createMaintainSigningKeys({ ...adapters, rotateAfterMs });
  const notifyExpiringKeys = createNotifyExpiringKeys(adapters);

  const replicaJobs = [
    { name: 'signing-keys', intervalMs: SIGNING_KEY_CHECK_MS, run: maintainSigningKeys },
    { name: 'last-uses', intervalMs: config.lastUseFlushMs, run: lastUse.flush },
  ];
  const leaderJobs = [
    { name: 'fact-relay', intervalMs: config.relayIntervalMs, run: relay.relayPending },
    { name: 'expiry-notices', intervalMs: config.expiryCheckIntervalMs, run: notifyExpiringKeys },
  ];
  const runAll = async (jobs: typeof replicaJobs | typeof leaderJobs, signal: AbortSignal) => {
    await Promise.all(jobs.map((job) => repeat(job, host, signal)));
  };

  return {
    maintainSigningKeys,
    firstStart: createFirstStart({
      ...adapters,
      email: config.initOperatorEmail,
      password: config.initOperatorPassword,
      plan: config.initPlan,
    }),
    grantFirstCredit: createGrantFirstCredit({
      ...host,
      firstStarts,
      billing,
      amount: config.initCredit,
    }),
    runReplicaJobs: (signal: AbortSignal) => runAll(replicaJobs, signal),
    runLeaderJobs: (signal: AbortSignal) => runAll(leaderJobs, signal),
  };
}
