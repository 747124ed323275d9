import { type BillingSettings, DEFAULT_SETTINGS } from '@tollgate/billing/model-api';
import type {
  LeaseBounds,
  PublicationBounds,
  RunBounds,
  SpoolBounds,
} from '@tollgate/completion/model-api';
import { HOUR_MS } from '@tollgate/core';
import type { Random } from '../random';
import type { CallFaults } from '../world/process';
import type { BusFaults } from '../world/simulated-bus';
import type { WorkloadProfile } from './workload';

/** Chances of what strikes from outside, each per step of the schedule. */
export interface Disasters {
  readonly killBilling: number;
  readonly killCompletion: number;
  /** Share of completion kills that take the machine's power too. */
  readonly powerCut: number;
  readonly pause: number;
  readonly failOver: number;
  readonly changeLeader: number;
  readonly rebalance: number;
  readonly resetOffsets: number;
  readonly diskFault: number;
  /** A machine and its disk are lost for ever. */
  readonly destroy: number;
  /** How long a killed process is away, milliseconds. */
  readonly downMsMax: number;
  /** Someone recalls a lease that its holder may not know. */
  readonly recall: number;
}

/** Every bound and time span of a completion instance. */
export interface CompletionSettings {
  readonly leases: LeaseBounds;
  readonly publication: PublicationBounds;
  readonly run: RunBounds;
  readonly spool: SpoolBounds;
  readonly billingDeadlineMs: number;
}

/** Everything that differs between schedules besides their choices. */
export interface Profile {
  /** How likely time moves on in a step though something else could happen. */
  readonly hurry: number;
  readonly zombieChance: number;
  readonly storeFaults: CallFaults;
  readonly rpcFaults: CallFaults;
  readonly busFaults: BusFaults;
  readonly disasters: Disasters;
  readonly workload: WorkloadProfile;
  readonly credit: number;
  readonly laterCredits: number;
  /** Corrections of the balance, upwards and downwards. */
  readonly adjustments: number;
  /** Codes and payments, each asked for by every account. */
  readonly claims: number;
  readonly spools: number;
  readonly billings: number;
  /** Wall clock of the beginning; often shortly before midnight, UTC. */
  readonly epochMs: number;
  readonly skewMsMax: number;
  readonly billing: BillingSettings;
  readonly completion: CompletionSettings;
  /** How often every account changes the balance below which it spends no more. */
  readonly suspensions: number;
  /** Steps in which disasters strike, before everything comes to rest. */
  readonly stepsMax: number;
}

/** A day and a month begin with it: budgets start anew, and the ledger has a further statement. */
const MIDNIGHT = Date.UTC(2026, 2, 1);

/** Bounds so small that every one of them is met, and times that fit a short life. */
function billingSettings(random: Random): BillingSettings {
  const bounds = {
    ...DEFAULT_SETTINGS.bounds,
    leaseTtlMs: 4_000,
    leaseMarginMs: 1_000,
    leasesMax: random.chance(0.3) ? 3 : 20,
    recallsMax: 4,
    journalMax: random.chance(0.3) ? 12 : 60,
    budgetsMax: 3,
    retireAfterMs: random.chance(0.2) ? 6_000 : DEFAULT_SETTINGS.bounds.retireAfterMs,
  };
  return {
    ...DEFAULT_SETTINGS,
    bounds,
    settleConcurrencyMax: 2,
    recallWait: { waitMsMax: 600, pollInitialMs: 40, pollMsMax: 200 },
    journalWait: { waitMsMax: 2_000, pollMs: 100 },
    writer: { ...DEFAULT_SETTINGS.writer, journalLength: random.pick([2, 5, 1_000]) },
    journals: {
      ...DEFAULT_SETTINGS.journals,
      delayMs: random.pick([25, 400]),
      scanIntervalMs: 700,
      trimLength: Math.ceil(bounds.journalMax / 2),
      trimIdleMs: 2_000,
      leftAfterMs: 4_000,
    },
    leases: {
      intervalMs: 700,
      sweptLookIntervalMs: 1_100,
      holderCallIntervalMs: 1_500,
      outageMs: 3_000,
    },
  };
}

function completionSettings(random: Random): CompletionSettings {
  return {
    leases: {
      waitersMax: 8,
      idlePoorMs: random.pick([100, 600]),
      idleRichMs: random.pick([600, 3_000]),
      slowPaceMs: random.pick([200, 3_000]),
      refusalMs: 150,
      lookAfterMs: 250,
    },
    publication: {
      batchMs: 20,
      batchRecordsMax: 4,
      pollMs: 300,
      resendMs: 1_200,
      busTimeoutMs: 400,
      busPauseMs: 700,
      leasesPerPollMax: 3,
    },
    run: {
      attemptsMax: 2,
      checkpointMs: 150,
      checkpointTokens: 2,
      stalledReaderMs: 600,
      hedgeStreams: false,
    },
    spool: { segmentBytesMax: random.pick([1_500, 4_000, 100_000]), totalBytesMax: 1_000_000 },
    billingDeadlineMs: 1_200,
  };
}

function disasters(random: Random, often: (p: number) => number): Disasters {
  return {
    killBilling: often(0.004),
    killCompletion: often(0.004),
    powerCut: random.pick([0, 0.5, 1]),
    pause: often(0.003),
    failOver: often(0.004),
    changeLeader: often(0.003),
    rebalance: often(0.004),
    resetOffsets: often(0.001),
    diskFault: often(0.0008),
    destroy: random.chance(0.1) ? 0.002 : 0,
    downMsMax: random.pick([500, 3_000, 12_000]),
    recall: often(0.003),
  };
}

/** The profile of a seed: each kind of disaster is absent in some schedules and frequent in others. */
export function createProfile(random: Random): Profile {
  const often = (p: number) => (random.chance(0.5) ? 0 : p * random.pick([0.5, 1, 3]));
  const calls = () => ({ lostRequest: often(0.02), lostAnswer: often(0.02) });
  const hasMuchCredit = random.chance(0.4);
  const frameGapMs = random.pick([10, 100, 600, 1_500]);
  return {
    hurry: random.pick([0.01, 0.05, 0.15, 0.3]),
    zombieChance: random.pick([0, 0.5, 0.9]),
    storeFaults: calls(),
    rpcFaults: calls(),
    busFaults: { ...calls(), drop: often(0.05), duplicate: often(0.2), shuffle: often(0.1) },
    disasters: disasters(random, often),
    workload: {
      accounts: random.chance(0.75) ? ['acc_1'] : ['acc_1', 'acc_2'],
      requests: random.int(4, 12),
      overMs: random.pick([50, 1_000, 3_000, 9_000]),
      budgetShare: random.pick([0, 0.3, 0.8]),
      ownShare: random.pick([0, 0, 0.15]),
      unreadableShare: random.pick([0, 0, 0.2]),
      budgetLimit: random.pick([130, 300, 2_000]),
      period: random.chance(0.6) ? 'day' : 'none',
      frameGapMs,
      hostileShare: random.pick([0, 0.2, 0.6]),
      beyondTextShare: 0.25,
      discount: random.pick([0, 0, 1_250, 3_333, -2_500]),
    },
    credit: hasMuchCredit ? random.int(1_000, 5_000) : random.int(100, 500),
    laterCredits: random.int(0, 2),
    adjustments: random.int(0, 2),
    claims: random.int(0, 2),
    spools: random.chance(0.6) ? 2 : 1,
    billings: random.chance(0.7) ? 2 : 1,
    epochMs: random.chance(0.5) ? MIDNIGHT - random.int(0, 6_000) : MIDNIGHT - 6 * HOUR_MS,
    skewMsMax: random.pick([0, 400, 10_000]),
    billing: billingSettings(random),
    completion: completionSettings(random),
    stepsMax: random.pick([400, 800, 1_600]),
    suspensions: random.chance(0.25) ? random.int(1, 3) : 0,
  };
}
