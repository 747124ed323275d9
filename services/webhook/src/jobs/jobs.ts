import type { Clock, Logger } from '@tollgate/core';
import {
  createLeader,
  type JobLeaseStore,
  type Jobs,
  type RepeatedWork,
  repeatAll,
} from '@tollgate/jobs';
import type { DeliveryStore, ErasureStore } from '../domain/ports';
import { createRemoveDeliveries } from '../operations/remove-deliveries';
import type { DispatchJob } from './dispatch-deliveries';

export interface WebhookJobsOptions {
  readonly leases: JobLeaseStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaderTtlMs: number;
  readonly erasures: ErasureStore;
  readonly deliveries: DeliveryStore;
  readonly dispatchJob: DispatchJob;
  readonly endSpells: RepeatedWork['run'];
  /** Of the secrets that sign deliveries. */
  readonly reseal: RepeatedWork;
}

/** A spell is over after a minute without denials: its end is told with little more delay. */
const END_SPELLS_INTERVAL_MS = 2_000;
const REMOVE_INTERVAL_MS = 1_000;
const REMOVE_RESTING_MS = 10_000;

/** The work of the one replica that sends. Not `createJobs`: dispatching needs the term's fence. */
export function createWebhookJobs(options: WebhookJobsOptions): Jobs {
  const { leases, leaderTtlMs: ttlMs, clock, logger, dispatchJob, reseal } = options;
  const leader = createLeader({ store: leases, group: 'webhook-deliveries', ttlMs, clock, logger });
  const endSpells = {
    name: 'end-denial-spells',
    intervalMs: END_SPELLS_INTERVAL_MS,
    run: options.endSpells,
  };
  const removeDeliveries = {
    name: 'remove-deliveries',
    intervalMs: REMOVE_INTERVAL_MS,
    restingMs: REMOVE_RESTING_MS,
    run: createRemoveDeliveries(options),
  };
  const leaderJobs = [endSpells, removeDeliveries, reseal];
  return {
    start() {
      leader.start(async ({ fence, signal }) => {
        const others = repeatAll(leaderJobs, { clock, logger }, signal);
        await Promise.all([dispatchJob.lead(fence, signal), others]);
      });
    },
    stop: () => leader.stop(),
  };
}
