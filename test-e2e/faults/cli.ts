import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { kafkaObstacle } from '../engines/kafka';
import { redisObstacle } from '../engines/redis';
import { openAccounts } from './accounts';
import type { Violation } from './evidence';
import { type FaultSystem, startFaultSystem } from './fault-system';
import { formatResult, formatViolations } from './report';
import { type LoopResult, runLoop } from './run-loop';

const USAGE = `Kills and freezes services, store and broker under load, and compares every charge
with what the vendor delivered and what the clients received.

usage: npm run faults -- [options]

  --cycles N     how many rounds of faults (default 10)
  --requests N   requests in all of them together (default 100 a cycle)
  --seed S       decides faults and requests (default: the time)
  --lease-ms N   how long a credit lease lives; short ones run out during faults
                 (default: what billing has)
  --evidence F   writes everything that was seen to file F, as JSON
  --help         prints this

Exit code 0 when nothing was lost, charged twice, below zero or adrift.
`;

const CYCLES_DEFAULT = 10;
const REQUESTS_PER_CYCLE = 100;
const FAILED = 1;
const MISUSED = 2;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = MISUSED;
    return;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const obstacle = kafkaObstacle() ?? redisObstacle();
  if (obstacle !== undefined) {
    print(`The engines cannot be had here: ${obstacle}.`);
    process.exitCode = FAILED;
    return;
  }
  endOnSignals();
  const { violations } = await runAndPrint(options);
  if (violations.length > 0) process.exitCode = FAILED;
}

interface Options {
  readonly help: boolean;
  readonly cycles: number;
  readonly requests: number;
  readonly seed: number;
  readonly leaseMs: number | undefined;
  /** File for everything that was seen. */
  readonly evidence: string | undefined;
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        cycles: { type: 'string', default: String(CYCLES_DEFAULT) },
        requests: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
        'lease-ms': { type: 'string' },
        evidence: { type: 'string' },
      },
    });
    const cycles = wholeNumber(values.cycles);
    const requests = wholeNumber(values.requests ?? String(cycles * REQUESTS_PER_CYCLE));
    const given = values['lease-ms'];
    const leaseMs = given === undefined ? undefined : wholeNumber(given);
    const { help, evidence } = values;
    return { help, cycles, requests, seed: wholeNumber(values.seed), leaseMs, evidence };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`);
    return undefined;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}\d?$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}

/** Lets everything that was started go with us. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

async function runAndPrint(
  options: Options,
): Promise<{ readonly violations: readonly Violation[] }> {
  const { cycles, requests, seed } = options;
  print(`${cycles} cycles, ${requests} requests, seed ${seed}`);
  const beganMs = performance.now();
  const system = await startFaultSystem(print, leaseSettings(options));
  const accounts = await openAccounts(system);
  const result = await runLoop(system, accounts, { cycles, requests, seed, report: print });
  if (options.evidence !== undefined) writeEvidence(options.evidence, result);
  const tails = system.logTails();
  const violations = [...result.violations, ...(await stopAndCheck(system))];
  const durationS = Math.round((performance.now() - beganMs) / 1000);
  if (violations.length > 0) print(formatViolations(violations, tails));
  print(formatResult({ ...result, violations } satisfies LoopResult, { ...options, durationS }));
  return { violations };
}

function writeEvidence(path: string, { evidence, violations }: LoopResult): void {
  const toText = (_name: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value;
  writeFileSync(path, JSON.stringify({ violations, evidence }, toText));
}

/** The margin in which a holder no longer draws keeps its default proportion. */
function leaseSettings({ leaseMs }: Options): Readonly<Record<string, string>> {
  if (leaseMs === undefined) return {};
  return {
    TOLLGATE_BILLING_LEASE_TTL_MS: String(leaseMs),
    TOLLGATE_BILLING_LEASE_MARGIN_MS: String(Math.round(leaseMs / 5)),
  };
}

/** After all that, everything still stops in order, with nothing left to settle. */
async function stopAndCheck(system: FaultSystem): Promise<readonly Violation[]> {
  const codes = await system.stop();
  return Object.entries(codes)
    .filter(([, code]) => code !== 0)
    .map(([name, code]) => ({ kind: 'unclean stop', text: `${name} ended with ${code}` }));
}
