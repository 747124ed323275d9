import type { Clock, Logger } from '@tollgate/core';
import {
  createJobs,
  type JobLeaseStore,
  type Jobs,
  NOTHING_FOUND,
  type RepeatedWork,
} from '@tollgate/jobs';
import type { AuditRuns } from '../operations/audit-runs';
import type { ErasureOperations } from '../operations/erasure';
import type { MoneyOperations, Operations } from '../operations/operations';
import type { BillingSettings, LeaseTimes } from '../operations/settings';
import type { StatementOperations } from '../operations/statements';
import type { LeaseSweeper } from '../operations/sweep-leases';
import type { PlanThresholds } from '../operations/thresholds';

/** Between two looks while there is nothing to do, in intervals. */
const RESTING_INTERVALS = 4;
/**
 * Between two looks at an empty outbox. What this replica stores wakes the job at once, so only
 * another replica's events wait this long.
 */
const OUTBOX_RESTING_MS = 4_000;
const FINISH_CLAIMS_INTERVAL_MS = 5_000;

/** The jobs about money, by who does them. */
export interface MoneyJobs {
  /** Of every replica. */
  readonly replicaJobs: readonly RepeatedWork[];
  /** The leader's for the outbox, and for journals that were left. */
  readonly outboxJobs: readonly RepeatedWork[];
  /** The leader's for leases that nobody renews. */
  readonly leaseJobs: readonly RepeatedWork[];
  /** The leader's for claims whose credit was not given. */
  readonly claimJobs: readonly RepeatedWork[];
}

export function createMoneyJobs(
  operations: Pick<
    MoneyOperations,
    'finishClaims' | 'journals' | 'publishOutbox' | 'remindHolders' | 'sweeper'
  >,
  { journals: times, leases }: Pick<BillingSettings, 'journals' | 'leases'>,
  clock: Clock,
): MoneyJobs {
  const { journals, publishOutbox, sweeper, remindHolders, finishClaims } = operations;
  const { wakeups } = journals;
  return {
    replicaJobs: [
      {
        name: 'store-journals',
        intervalMs: times.scanIntervalMs,
        wakeup: wakeups.written,
        async run(signal) {
          if (!journals.isWaiting) return;
          await wakeups.long.pause(clock, times.delayMs, signal);
          wakeups.long.clear();
          await journals.storeWritten();
        },
      },
      {
        name: 'trim-journals',
        intervalMs: times.scanIntervalMs,
        wakeup: wakeups.trimmable,
        run: journals.trimDue,
      },
    ],
    outboxJobs: [
      {
        name: 'publish-outbox',
        intervalMs: times.scanIntervalMs,
        restingMs: OUTBOX_RESTING_MS,
        wakeup: wakeups.stored,
        run: publishOutbox,
      },
      {
        name: 'store-left-journals',
        intervalMs: times.leftAfterMs / 4,
        restingMs: times.leftAfterMs,
        run: journals.storeLeft,
      },
    ],
    leaseJobs: [
      createSweepJob(sweeper, leases, clock),
      {
        name: 'remind-holders',
        intervalMs: leases.sweptLookIntervalMs,
        restingMs: leases.sweptLookIntervalMs * RESTING_INTERVALS,
        run: remindHolders,
      },
    ],
    claimJobs: [
      {
        name: 'finish-claims',
        intervalMs: FINISH_CLAIMS_INTERVAL_MS,
        restingMs: FINISH_CLAIMS_INTERVAL_MS * RESTING_INTERVALS,
        run: finishClaims,
      },
    ],
  };
}

/**
 * A new leader cannot know for how long holders found nobody to renew with, nor can a leader after an
 * outage of its own: both watch anew, for the lifetime of a lease.
 */
function createSweepJob(
  sweeper: LeaseSweeper,
  { intervalMs, outageMs }: LeaseTimes,
  clock: Clock,
): RepeatedWork {
  let term: AbortSignal | undefined;
  let sweptMonotonicMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'sweep-leases',
    intervalMs,
    restingMs: intervalMs * RESTING_INTERVALS,
    async run(signal) {
      const isOutage = clock.monotonicMs() - sweptMonotonicMs >= intervalMs + outageMs;
      if (signal !== term || isOutage) sweeper.watchAnew();
      term = signal;
      await sweeper.sweepExpired(signal);
      sweptMonotonicMs = clock.monotonicMs();
      return sweeper.isResting ? NOTHING_FOUND : undefined;
    },
  };
}

const PLAN_REFRESH_MS = 5_000;

export interface BillingJobsOptions {
  readonly operations: Operations;
  readonly settings: BillingSettings;
  readonly planThresholds: PlanThresholds;
  readonly jobLeases: JobLeaseStore;
  readonly leaderTtlMs: number;
  readonly auditIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The work of every replica, and that of the one which holds the job lease. */
export function createBillingJobs(options: BillingJobsOptions): Jobs {
  const { operations, settings, planThresholds, jobLeases, leaderTtlMs, clock, logger } = options;
  const money = createMoneyJobs(operations, settings, clock);
  const { makeAudits, observeAudits } = createAuditJobs(operations.audits, options.auditIntervalMs);
  const { refresh: run } = planThresholds;
  const readPlans = { name: 'read-plan-thresholds', intervalMs: PLAN_REFRESH_MS, run };
  return createJobs({
    group: 'billing-jobs',
    leases: jobLeases,
    leaderTtlMs,
    clock,
    logger,
    replicaJobs: [
      ...money.replicaJobs,
      observeAudits,
      countQuarantine(operations),
      readPlans,
      catchUpStatements(operations.statements),
    ],
    leaderJobs: [
      ...money.outboxJobs,
      ...money.leaseJobs,
      ...money.claimJobs,
      makeAudits,
      eraseAccounts(operations.erasure),
    ],
  });
}

/** Of every replica: what one of them counted when it led must not be told for ever. */
export function countQuarantine({ countQuarantine: run }: Pick<Operations, 'countQuarantine'>) {
  return { name: 'count-quarantine', intervalMs: LOOK_INTERVAL_MS, run } satisfies RepeatedWork;
}

/** Of every replica, because each knows only of what it was asked itself. */
function catchUpStatements({ catchUp: run, behind: wakeup }: StatementOperations): RepeatedWork {
  return { name: 'catch-up-statements', intervalMs: 100, restingMs: 30_000, wakeup, run };
}

function eraseAccounts({ eraseOpen: run, begun: wakeup }: ErasureOperations): RepeatedWork {
  return { name: 'erase-accounts', intervalMs: 1_000, restingMs: 20_000, wakeup, run };
}

/** A process that has just started has other things to do than to audit. */
const START_DELAY_MS = 15_000;
/** Between two looks at what another replica may have done, such as an audit. */
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
