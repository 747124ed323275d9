import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { redisObstacle } from '../engines/redis';
import { oneOf, wholeNumber } from '../support/option-values';
import { openAccounts, richAccounts } from './accounts';
import type { Violation } from './evidence';
import { type FaultSystem, type StoreKind, startFaultSystem } from './fault-system';
import { formatFreeze, runKafkaFrozen } from './kafka-frozen';
import { formatResult, formatViolations } from './report';
import { type LoopResult, runLoop } from './run-loop';

const USAGE = `Kills and freezes services, store and broker under load, and compares every charge
with what the vendor delivered and what the clients received.

usage: npm run faults -- [options]

  --scenario S   kill-loop (default) or kafka-frozen: Kafka frozen under steady load, with three
                 replicas of billing, and no client may notice
  --engines E    real: MongoDB under the services; embedded: our document store over TCP
                 (default: real where a MongoDB server can be had; Kafka and Redis are always real)
  --help         prints this

kill-loop:
  --cycles N     how many rounds of faults (default 10)
  --requests N   requests in all of them together (default 100 a cycle)
  --seed S       decides faults and requests (default: the time)
  --lease-ms N   how long a credit lease lives; short ones run out during faults
                 (default: what billing has)
  --evidence F   writes everything that was seen to file F, as JSON

kafka-frozen:
  --before-s N   seconds of load before (default 30)
  --frozen-s N   seconds that Kafka is frozen (default 120)
  --after-s N    seconds of load after (default 20)
  --settled-s N  seconds from Kafka's return until all must be in the ledger (default 60)
  --connections N  clients at once (default 16)
  --accounts N   accounts that they ask for (default 60)

Exit code 0 when nothing was lost, charged twice, below zero or adrift, and in kafka-frozen nobody
was refused or slowed down.
`;

const CYCLES_DEFAULT = 10;
const REQUESTS_PER_CYCLE = 100;
const BILLING_REPLICAS = 3;
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
  const store = options.store ?? (mongodbObstacle() === undefined ? 'mongodb' : 'embedded');
  const obstacle =
    kafkaObstacle() ?? redisObstacle() ?? (store === 'mongodb' ? mongodbObstacle() : undefined);
  if (obstacle !== undefined) {
    print(`The engines cannot be had here: ${obstacle}.`);
    process.exitCode = FAILED;
    return;
  }
  endOnSignals();
  print(`store: ${store === 'mongodb' ? 'a MongoDB server' : 'the embedded store over TCP'}`);
  const runScenario = options.scenario === 'kafka-frozen' ? freezeAndPrint : loopAndPrint;
  const violations = await runScenario(options, store);
  if (violations.length > 0) process.exitCode = FAILED;
}

interface Options {
  readonly help: boolean;
  readonly scenario: 'kill-loop' | 'kafka-frozen';
  /** Undefined: MongoDB where one can be had. */
  readonly store: StoreKind | undefined;
  readonly cycles: number;
  readonly requests: number;
  readonly seed: number;
  readonly leaseMs: number | undefined;
  /** File for everything that was seen. */
  readonly evidence: string | undefined;
  readonly beforeS: number;
  readonly frozenS: number;
  readonly afterS: number;
  readonly settledS: number;
  readonly connections: number;
  readonly accounts: number;
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        scenario: { type: 'string', default: 'kill-loop' },
        engines: { type: 'string' },
        cycles: { type: 'string', default: String(CYCLES_DEFAULT) },
        requests: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
        'lease-ms': { type: 'string' },
        evidence: { type: 'string' },
        'before-s': { type: 'string', default: '30' },
        'frozen-s': { type: 'string', default: '120' },
        'after-s': { type: 'string', default: '20' },
        'settled-s': { type: 'string', default: '60' },
        connections: { type: 'string', default: '16' },
        accounts: { type: 'string', default: '60' },
      },
    });
    const cycles = wholeNumber(values.cycles);
    const given = values['lease-ms'];
    return {
      help: values.help,
      scenario: oneOf(values.scenario, {
        'kill-loop': 'kill-loop',
        'kafka-frozen': 'kafka-frozen',
      }),
      store:
        values.engines === undefined
          ? undefined
          : oneOf(values.engines, { real: 'mongodb', embedded: 'embedded' }),
      cycles,
      requests: wholeNumber(values.requests ?? String(cycles * REQUESTS_PER_CYCLE)),
      seed: wholeNumber(values.seed),
      leaseMs: given === undefined ? undefined : wholeNumber(given),
      evidence: values.evidence,
      beforeS: wholeNumber(values['before-s']),
      frozenS: wholeNumber(values['frozen-s']),
      afterS: wholeNumber(values['after-s']),
      settledS: wholeNumber(values['settled-s']),
      connections: wholeNumber(values.connections),
      accounts: wholeNumber(values.accounts),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`);
    return undefined;
  }
}

/** Lets everything that was started go with us. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

async function loopAndPrint(options: Options, store: StoreKind): Promise<readonly Violation[]> {
  const { cycles, requests, seed } = options;
  print(`${cycles} cycles, ${requests} requests, seed ${seed}`);
  const beganMs = performance.now();
  const overrides = leaseSettings(options);
  const system = await startFaultSystem({ store, report: print, overrides });
  const accounts = await openAccounts(system);
  const result = await runLoop(system, accounts, { cycles, requests, seed, report: print });
  if (options.evidence !== undefined) writeEvidence(options.evidence, result);
  const tails = system.logTails();
  const violations = [...result.violations, ...(await stopAndCheck(system))];
  const durationS = Math.round((performance.now() - beganMs) / 1000);
  if (violations.length > 0) print(formatViolations(violations, tails));
  print(formatResult({ ...result, violations } satisfies LoopResult, { ...options, durationS }));
  return violations;
}

async function freezeAndPrint(options: Options, store: StoreKind): Promise<readonly Violation[]> {
  if (store !== 'mongodb') throw new Error('kafka-frozen needs --engines real');
  const replicas = { billing: BILLING_REPLICAS };
  // All its accounts are opened from one address.
  const overrides = { TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '10000' };
  const system = await startFaultSystem({ store, report: print, replicas, overrides });
  print(`opening ${options.accounts} accounts`);
  const accounts = await openAccounts(system, richAccounts(options.accounts));
  const result = await runKafkaFrozen(system, accounts, {
    connections: options.connections,
    beforeMs: options.beforeS * 1000,
    frozenMs: options.frozenS * 1000,
    afterMs: options.afterS * 1000,
    settledAfterMs: options.settledS * 1000,
    report: print,
  });
  const tails = system.logTails();
  const violations = [...result.violations, ...(await stopAndCheck(system))];
  if (violations.length > 0) print(formatViolations(violations, tails));
  print(formatFreeze(result));
  print(violations.length === 0 ? 'nobody noticed' : `${violations.length} violations`);
  return violations;
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
