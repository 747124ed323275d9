import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random';
import { type LoadedAccount, POOR, topUp } from './accounts';
import type { Attempt } from './attempt';
import { readAudit, readBalance } from './books';
import { checkBalance } from './check-accounts';
import type { Violation } from './evidence';
import { type Fault, planCycle } from './fault-plan';
import type { FaultSystem } from './fault-system';
import { runLoad } from './load';
import { type Reconciled, reconcile } from './reconcile';
import { type Figures, formatFigures, tally } from './report';

export interface KillLoopOptions {
  readonly cycles: number;
  /** In all cycles together. */
  readonly requests: number;
  readonly seed: number;
  report(line: string): void;
}

/** Clients at once: enough that every fault finds streams open. */
const WORKERS = 20;

/** Runs the cycles one after another, waits until everything is settled, and compares. */
export async function runKillLoop(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  options: KillLoopOptions,
): Promise<Reconciled> {
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
function shareOf({ cycles, requests }: KillLoopOptions, cycle: number): number {
  return Math.floor(requests / cycles) + (cycle <= requests % cycles ? 1 : 0);
}

interface Cycle {
  readonly system: FaultSystem;
  readonly accounts: readonly LoadedAccount[];
  readonly random: SeededRandom;
  readonly cycle: number;
  readonly requests: number;
  readonly options: KillLoopOptions;
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

const COUNTED = ['lost', 'double', 'negative', 'drift'] as const;

interface RunFacts {
  readonly cycles: number;
  readonly requests: number;
  readonly seed: number;
  readonly leaseMs: number | undefined;
  readonly durationS: number;
}

/** One table of what happened; the last line says what it comes to. */
export function formatKillLoop(result: Reconciled, facts: RunFacts): string {
  const { evidence, sums, violations, settledMs } = result;
  const { attempts, deliveries, audit, outages } = evidence;
  const count = (test: (attempt: Attempt) => boolean) => attempts.filter(test).length;
  const kills = outages.filter(({ kind }) => kind === 'kill');
  const figures: Figures = [
    ['kill -9', `${kills.length} (${tally(kills.map(({ target }) => target))})`],
    ['frozen', tally(outages.filter(({ kind }) => kind === 'freeze').map(({ target }) => target))],
    ['life of a lease, ms', facts.leaseMs ?? 'as billing has it'],
    ['requests', facts.requests],
    ['exchanges over HTTP, retries included', attempts.length],
    ['complete answers received', count(({ finished }) => finished)],
    ['answers cut by faults', count((one) => one.tokens > 0 && !one.finished && !one.left)],
    ['streams left by their client', count(({ left, finished }) => left && !finished)],
    ['refused for want of money (402)', count(({ status }) => status === 402)],
    ['answered 5xx', count(({ status }) => (status ?? 0) >= 500)],
    ['without an answer', count(({ status }) => status === undefined)],
    ['calls of the vendor', deliveries.length],
    ['requests that reached a vendor or the ledger', sums.requests],
    ['of them charged', sums.charged],
    ['killed before anything was durable or delivered', sums.unrecorded],
    ['tokens charged', sums.chargedTokens],
    ['tokens received after the last checkpoint and not charged', sums.unchargedTailTokens],
    ['tokens charged that were cut off on their way', sums.unseenTokens],
    ['absorbed, nano-units', audit.absorbedNano],
    ['beyond what was reserved, nano-units', audit.overrunNano],
    ['everything settled after, seconds', (settledMs / 1000).toFixed(1)],
  ];
  return [formatFigures(figures), '', verdict(violations, facts)].join('\n');
}

function verdict(violations: readonly Violation[], facts: RunFacts): string {
  const kinds = violations.map(({ kind }) => kind);
  const counts = COUNTED.map((kind) => `${kind} ${kinds.filter((one) => one === kind).length}`);
  const others = kinds.filter((kind) => !COUNTED.some((counted) => counted === kind));
  const rest = others.length === 0 ? 'other 0' : `other ${others.length} (${tally(others)})`;
  const { cycles, requests, seed, durationS } = facts;
  const run = `${cycles} cycles, ${requests} requests, seed ${seed}, ${durationS} s`;
  return `${[...counts, rest].join(', ')}: ${run}`;
}
