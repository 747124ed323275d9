import { runSchedule, type ScheduleOptions } from '../run-schedule';
import { BILLING_BUGS } from './bugs-in-billing';
import { COMPLETION_BUGS } from './bugs-in-completion';
import { addCoverage, type Coverage } from './coverage';
import { NO_PLANTED_BUG, type PlantedBug } from './planted-bug';

/** How a range of seeds is checked. */
export interface SeedOptions extends Omit<ScheduleOptions, 'bug'> {
  /** A new bug for every schedule: some remember what they did. */
  readonly createBug?: () => PlantedBug;
  /** The check ends early at so many failures; 5 when absent. */
  readonly failuresMax?: number;
  /** Hears of each failure at once. */
  readonly onFailure?: (failure: string) => void;
  /** How a failed schedule is seen again. */
  readonly replayOf?: (seed: number) => string;
}

/** The results of the schedules of a range of seeds. */
export interface SeedReport {
  /** One text for each schedule that broke a rule, with how to see it again. */
  readonly failures: readonly string[];
  readonly coverage: Coverage;
  readonly steps: number;
}

const FAILURES_MAX = 5;

function replayCommandOf(seed: number): string {
  return `npm run model-check -- --seed ${seed}`;
}

/** Runs the schedules of the seeds, both ends included. */
export async function checkSeeds(
  from: number,
  to: number,
  options: SeedOptions = {},
): Promise<SeedReport> {
  // Refusals are errors by the hundred thousand, and nobody reads where they were made.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await runSeeds(from, to, options);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function runSeeds(from: number, to: number, options: SeedOptions): Promise<SeedReport> {
  const { createBug, failuresMax = FAILURES_MAX, onFailure, replayOf = replayCommandOf } = options;
  const failures: string[] = [];
  const coverage = new Map<string, number>();
  let steps = 0;
  for (let seed = from; seed <= to && failures.length < failuresMax; seed += 1) {
    const bug = createBug?.() ?? NO_PLANTED_BUG;
    const result = await runSchedule(seed, { ...options, bug });
    steps += result.steps;
    addCoverage(coverage, result.coverage);
    if (result.violations.length === 0) continue;
    const failure = `${replayOf(seed)}: ${result.violations.join('; ')}`;
    failures.push(failure);
    onFailure?.(failure);
  }
  return { failures, coverage, steps };
}

/**
 * The events that any few hundred schedules must have met: a check shows nothing about what never
 * happened in it.
 */
const COVERAGE_WANTED: readonly string[] = [
  'adjustment down',
  'adjustment up',
  'answered',
  'answered image',
  'answered tools',
  'answered vectors',
  'charge overrun',
  'charge refused',
  'charge settled',
  'charge swept',
  'claim of a code',
  'claim of a payment',
  'cut SERVICE_UNAVAILABLE',
  'cut UPSTREAM_ERROR',
  'cut UPSTREAM_TIMEOUT',
  'cut after a cache write',
  'died',
  'end after audio',
  'end after thoughts',
  'end client_gone',
  'end crash',
  'end deadline',
  'failed SERVICE_UNAVAILABLE',
  'failed UPSTREAM_ERROR',
  'lease recalled',
  'lease renewed',
  'lease swept',
  'refused COST_LIMIT',
  'refused INSUFFICIENT_BALANCE',
  'refused KEY_BUDGET_EXCEEDED',
  'refused SERVICE_UNAVAILABLE',
  'rollover with credit leased',
  'spending resumed',
  'spending suspended',
  'statement',
  'statement of a further month',
  'swept lease closed',
  'unreadable record',
];

/** What should have been met and was not. */
export function missingCoverage(coverage: Coverage): readonly string[] {
  return COVERAGE_WANTED.filter((name) => !coverage.has(name));
}

/**
 * What one schedule in a thousand meets, and schedules that do. Where they do it no more, such as
 * after a change of what a seed draws, `npm run model-check` counts what a range of seeds meets.
 */
export const RARE = {
  coverage: ['charge absorbed', 'charge retired'],
  seeds: [870, 1_910],
} as const;

/** Every planted bug, by what it does. */
export const PLANTED_BUGS: Readonly<Record<string, () => PlantedBug>> = {
  ...BILLING_BUGS,
  ...COMPLETION_BUGS,
};

/** Schedules in which a planted bug must show. */
const SEEDS_PER_BUG_MAX = 1_000;

/** The first failure that the bug causes, or undefined when it survives all of the schedules. */
export async function findPlantedBug(createBug: () => PlantedBug): Promise<string | undefined> {
  const { failures } = await checkSeeds(1, SEEDS_PER_BUG_MAX, { createBug, failuresMax: 1 });
  return failures[0];
}
