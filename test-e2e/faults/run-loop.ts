import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random';
import { type LoadedAccount, POOR, topUp } from './accounts';
import type { Attempt } from './attempt';
import { readAudit, readBalance, readBooks } from './books';
import { checkBalance } from './check-accounts';
import { checkEvidence, isSettled } from './check-evidence';
import type { RequestSums } from './check-requests';
import type { Evidence, Violation } from './evidence';
import { type Fault, planCycle } from './fault-plan';
import type { FaultSystem } from './fault-system';
import { runLoad } from './load';

export interface LoopOptions {
  readonly cycles: number;
  /** In all cycles together. */
  readonly requests: number;
  readonly seed: number;
  report(line: string): void;
}

export interface LoopResult {
  readonly evidence: Evidence;
  readonly violations: readonly Violation[];
  readonly sums: RequestSums;
  /** From the end of the last fault and the last request until everything was settled. */
  readonly settledMs: number;
}

/** Clients at once: enough that every fault finds streams open. */
const WORKERS = 20;
const SETTLE_MS_MAX = 60_000;
const SETTLE_POLL_MS = 1_000;

/** Runs the cycles one after another, waits until everything is settled, and compares. */
export async function runLoop(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  options: LoopOptions,
): Promise<LoopResult> {
  const random = createSeededRandom(options.seed);
  const attempts: Attempt[] = [];
  const midway: Violation[] = [];
  for (let cycle = 1; cycle <= options.cycles; cycle += 1) {
    const requests = shareOf(options, cycle);
    const made = await runCycle({ system, accounts, random, cycle, requests, options });
    for (const attempt of made) attempts.push(attempt);
    midway.push(...(await checkMidway(system, accounts, cycle)));
  }
  const result = await reconcile(system, accounts, attempts);
  return { ...result, violations: [...midway, ...result.violations] };
}

/** Rests go to the first cycles, so that the sum is what was asked for. */
function shareOf({ cycles, requests }: LoopOptions, cycle: number): number {
  return Math.floor(requests / cycles) + (cycle <= requests % cycles ? 1 : 0);
}

interface Cycle {
  readonly system: FaultSystem;
  readonly accounts: readonly LoadedAccount[];
  readonly random: SeededRandom;
  readonly cycle: number;
  readonly requests: number;
  readonly options: LoopOptions;
}

async function runCycle(run: Cycle): Promise<readonly Attempt[]> {
  const { system, accounts, cycle, requests, options } = run;
  // Decided before anything moves: the requests below draw numbers in the order of events.
  const faults = planCycle(run.random, system.replicas);
  const random = createSeededRandom(run.random.integer(0, 2 ** 32 - 1));
  options.report(`cycle ${cycle}: ${faults.map(describeFault).join(', ')}`);
  const load = runLoad({
    baseUrl: system.baseUrl,
    accounts,
    requests,
    workers: WORKERS,
    random,
    tagPrefix: `${cycle}/`,
    elapsedMs: system.elapsedMs,
  });
  const poor = accounts.filter(({ name }) => name === POOR);
  const [attempts] = await Promise.all([
    load,
    ...faults.map((fault) => applyLater(system, fault)),
    ...poor.map((account) => topUp(system, account, cycle)),
  ]);
  return attempts;
}

async function applyLater(system: FaultSystem, fault: Fault): Promise<void> {
  await delay(fault.afterMs);
  await system.apply(fault);
}

function describeFault({ kind, target, afterMs, awayMs }: Fault): string {
  return `${kind} ${target} after ${afterMs} ms for ${awayMs} ms`;
}

/** Between two cycles nothing need be settled, but nothing may be wrong either. */
async function checkMidway(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  cycle: number,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const audit = await readAudit(system);
  if (!audit.ok) {
    const text = `after cycle ${cycle}: ${JSON.stringify(audit.findings)}`;
    violations.push({ kind: 'drift', text });
  }
  for (const account of accounts) {
    violations.push(...checkBalance(await readBalance(system, account)));
  }
  return violations;
}

/** Waits until everything is settled, a bounded time, and compares everything with everything. */
export async function reconcile(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  attempts: readonly Attempt[],
): Promise<LoopResult> {
  const ends = [...attempts, ...system.outages()].map(({ untilMs }) => untilMs);
  const fromMs = ends.reduce((latest, ms) => Math.max(latest, ms), 0);
  for (;;) {
    const evidence: Evidence = {
      attempts,
      deliveries: await system.deliveries(),
      accounts: await Promise.all(accounts.map((account) => readBooks(system, account))),
      audit: await readAudit(system),
      outages: system.outages(),
      crashes: system.crashes(),
    };
    const settledMs = system.elapsedMs() - fromMs;
    const settled = isSettled(evidence);
    if (settled || settledMs > SETTLE_MS_MAX) {
      const { violations, sums } = checkEvidence(evidence);
      const late: Violation = { kind: 'unsettled', text: `after ${SETTLE_MS_MAX} ms` };
      const all = settled ? violations : [...violations, late];
      return { evidence, violations: all, sums, settledMs };
    }
    await delay(SETTLE_POLL_MS);
  }
}
