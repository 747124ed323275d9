import type { Clock, Logger } from '@tollgate/core';
import {
  createJobs,
  createWakeup,
  type JobLeaseStore,
  type Jobs,
  type RepeatedWork,
} from '@tollgate/jobs';
import type { AccountStore, ClaimStore, EventPublisher, OutboxStore } from '../domain/ports';
import type { AuditRuns } from '../operations/audit-runs';
import type { AccountParts, Instruments } from '../operations/dependencies';
import {
  DEFAULT_OPERATION_SETTINGS,
  type OperationSettings,
  type Operations,
} from '../operations/operations';
import type { PlanThresholds } from '../operations/thresholds';
import { createFinishClaims } from './finish-claims';
import { createPublishOutbox } from './publish-outbox';
import { createRemindHolders, type RemindHolders } from './remind-holders';
import {
  createJournalJobs,
  DEFAULT_JOURNAL_TIMES,
  type JournalJobs,
  type JournalTimes,
} from './store-journals';
import { createLeaseSweeper, type LeaseSweeper, type SweeperTimes } from './sweep-leases';

/** Time spans of what is done about leases that nobody renews. */
export interface LeaseJobTimes extends SweeperTimes {
  /** Between two looks for swept leases, milliseconds. */
  readonly sweptLookIntervalMs: number;
  /** Between two calls to the holder of a swept lease, milliseconds. */
  readonly holderCallIntervalMs: number;
}

/** Every bound and time span of billing. */
export interface BillingSettings extends OperationSettings {
  readonly journals: JournalTimes;
  readonly sweep: LeaseJobTimes;
}

export const DEFAULT_SETTINGS: BillingSettings = {
  ...DEFAULT_OPERATION_SETTINGS,
  journals: DEFAULT_JOURNAL_TIMES,
  sweep: {
    intervalMs: 1_000,
    sweptLookIntervalMs: 5_000,
    holderCallIntervalMs: 10_000,
    outageMs: 5_000,
  },
};

/** Between two looks for swept leases while there is none, in intervals. */
const RESTING_INTERVALS = 4;

export interface BillingWorkOptions extends Instruments {
  readonly operations: Operations;
  readonly store: AccountStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly publisher: EventPublisher;
  readonly settings: BillingSettings;
}

/** The background work about money; each part can be done alone. */
export interface BillingWork {
  readonly journals: JournalJobs;
  readonly sweeper: LeaseSweeper;
  readonly remindHolders: RemindHolders;
  /** The jobs of every replica. */
  readonly replicaJobs: readonly RepeatedWork[];
  /** The leader's jobs for the outbox, and for journals that were left. */
  readonly outboxJobs: readonly RepeatedWork[];
  /** The leader's jobs for leases that nobody renews. */
  readonly leaseJobs: readonly RepeatedWork[];
  /** The leader's jobs for claims whose credit was not given. */
  readonly claimJobs: readonly RepeatedWork[];
}

export function createBillingWork(options: BillingWorkOptions): BillingWork {
  const { operations, settings } = options;
  const { journals: times, sweep, policy, quarantineRetryMs } = settings;
  const { accounts, rules, recalls, quarantine, storeJournal, recentEntries } = operations;
  const finishClaims = createFinishClaims({
    ...options,
    grantCredit: operations.grantCreditAtOnce,
  });
  const outboxWakeup = createWakeup();
  const parts: AccountParts = { ...options, accounts, rules, policy, quarantine };
  const onStored = outboxWakeup.wake;
  const journals = createJournalJobs({ ...parts, storeJournal, times, onStored });
  const publishOutbox = createPublishOutbox({
    ...options,
    recentEntries,
    quarantine,
    quarantineRetryMs,
    wakeup: outboxWakeup,
    intervalMs: times.scanIntervalMs,
  });
  const { intervalMs, outageMs, holderCallIntervalMs } = sweep;
  const sweeper = createLeaseSweeper({ ...parts, intervalMs, outageMs });
  const remindHolders = createRemindHolders({ ...parts, recalls, holderCallIntervalMs });
  const remind = {
    name: 'remind-holders',
    intervalMs: sweep.sweptLookIntervalMs,
    run: remindHolders,
    restingMs: sweep.sweptLookIntervalMs * RESTING_INTERVALS,
  };
  return {
    journals,
    sweeper,
    remindHolders,
    replicaJobs: [journals.storeWritten, journals.trim],
    outboxJobs: [publishOutbox, journals.storeLeft],
    leaseJobs: [sweeper.job, remind],
    claimJobs: [finishClaims],
  };
}

const PLAN_REFRESH_MS = 5_000;

export interface BillingJobsOptions {
  readonly work: BillingWork;
  readonly audits: AuditRuns;
  readonly planThresholds: PlanThresholds;
  readonly eraseAccounts: RepeatedWork;
  readonly catchUpStatements: RepeatedWork;
  readonly leases: JobLeaseStore;
  readonly leaderTtlMs: number;
  readonly auditIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The work of every replica, and that of the one which holds the job lease. */
export function createBillingJobs(options: BillingJobsOptions): Jobs {
  const { work, audits, planThresholds, leases, leaderTtlMs, clock, logger } = options;
  const { catchUpStatements, eraseAccounts } = options;
  const { refresh: run } = planThresholds;
  const readPlans = { name: 'read-plan-thresholds', intervalMs: PLAN_REFRESH_MS, run };
  const { makeAudits, observeAudits } = createAuditJobs(audits, options.auditIntervalMs);
  return createJobs({
    group: 'billing-jobs',
    leases,
    leaderTtlMs,
    clock,
    logger,
    replicaJobs: [...work.replicaJobs, observeAudits, readPlans, catchUpStatements],
    leaderJobs: [
      ...work.outboxJobs,
      ...work.leaseJobs,
      ...work.claimJobs,
      makeAudits,
      eraseAccounts,
    ],
  });
}

/** A process that has just started has other things to do than to audit. */
const START_DELAY_MS = 15_000;
/** Between two looks whether an audit is due: another replica may have made one. */
const LOOK_INTERVAL_MS = 60_000;

/** The leader's job that makes audits, and every replica's that tells of the kept one. */
export function createAuditJobs(
  audits: AuditRuns,
  auditIntervalMs: number,
): Readonly<Record<'makeAudits' | 'observeAudits', RepeatedWork>> {
  return {
    makeAudits: {
      name: 'audit',
      intervalMs: Math.min(LOOK_INTERVAL_MS, auditIntervalMs),
      firstAfterMs: Math.min(START_DELAY_MS, auditIntervalMs),
      run: audits.makeIfDue,
    },
    observeAudits: { name: 'audit-figures', intervalMs: LOOK_INTERVAL_MS, run: audits.observe },
  };
}
