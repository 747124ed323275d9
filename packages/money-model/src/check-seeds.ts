import { addEncounters, type Encounters } from './encounters';
import { runSchedule, type ScheduleOptions } from './run-schedule';

/** What the schedules of a range of seeds showed. */
export interface SeedReport {
  /** One text for each schedule that broke a rule, with how to see it again. */
  readonly failures: readonly string[];
  readonly encounters: Encounters;
}

const FAILURES_MAX = 5;

function replayCommandOf(seed: number): string {
  return `node packages/money-model/dist/main.js --seed ${seed}`;
}

/** Runs the schedules of the seeds, and ends early when several have failed. */
export async function checkSeeds(
  from: number,
  to: number,
  options: ScheduleOptions = {},
  replayOf: (seed: number) => string = replayCommandOf,
): Promise<SeedReport> {
  // Refusals are errors by the hundred thousand, and nobody reads where they were made.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await runSeeds(from, to, options, replayOf);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function runSeeds(
  from: number,
  to: number,
  options: ScheduleOptions,
  replayOf: (seed: number) => string,
): Promise<SeedReport> {
  const failures: string[] = [];
  const encounters = new Map<string, number>();
  for (let seed = from; seed <= to && failures.length < FAILURES_MAX; seed += 1) {
    const result = await runSchedule(seed, options);
    addEncounters(encounters, result.encounters);
    if (result.violations.length === 0) continue;
    failures.push(`${replayOf(seed)}: ${result.violations.join('; ')}`);
  }
  return { failures, encounters };
}

/**
 * What any few hundred schedules must have met: a check shows nothing about what never happened in
 * it.
 */
export const ENCOUNTERS_WANTED: readonly string[] = [
  'adjustment down',
  'adjustment up',
  'answered',
  'charge absorbed',
  'charge overrun',
  'charge refused',
  'charge retired',
  'charge settled',
  'charge swept',
  'cut SERVICE_UNAVAILABLE',
  'cut UPSTREAM_ERROR',
  'cut UPSTREAM_TIMEOUT',
  'died',
  'end client_gone',
  'end crash',
  'end deadline',
  'failed SERVICE_UNAVAILABLE',
  'failed UPSTREAM_ERROR',
  'lease recalled',
  'lease renewed',
  'lease swept',
  'refused INSUFFICIENT_BALANCE',
  'refused KEY_BUDGET_EXCEEDED',
  'refused SERVICE_UNAVAILABLE',
  'rollover with credit leased',
  'swept lease closed',
  'unreadable record',
];
