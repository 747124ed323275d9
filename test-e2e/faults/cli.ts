import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { redisObstacle } from '../engines/redis';
import { openAccounts, richAccounts } from './accounts';
import type { Violation } from './evidence';
import { type FaultSystem, type StoreKind, startFaultSystem } from './fault-system';
import { formatFreeze, runKafkaFrozen } from './kafka-frozen';
import { formatKillLoop, runKillLoop } from './kill-loop';
import { type Options, readOptions, USAGE } from './options';
import type { Reconciled } from './reconcile';
import { formatViolation, formatViolations } from './report';
import { formatRolling, ROLLING_SETTINGS, runRollingRestart } from './rolling-restart';
import { formatSingleFaults, listFaults, runSingleFaults } from './single-faults';

const FAILED = 1;
const MISUSED = 2;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args, mongodbObstacle() === undefined);
  if (options === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = MISUSED;
    return;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { store, scenario } = options;
  const storeObstacle = store === 'embedded' ? undefined : mongodbObstacle();
  const obstacle = kafkaObstacle() ?? redisObstacle() ?? storeObstacle;
  if (obstacle !== undefined) {
    print(`The engines cannot be had here: ${obstacle}.`);
    process.exitCode = FAILED;
    return;
  }
  endOnSignals();
  print(`store: ${STORES[store]}`);
  const violations = await RUNS[scenario](options);
  if (violations.length > 0) process.exitCode = FAILED;
}

const STORES: Readonly<Record<StoreKind, string>> = {
  'mongodb-set': 'three MongoDB servers',
  mongodb: 'a MongoDB server',
  embedded: 'the embedded store over TCP',
};

const RUNS: Readonly<
  Record<Options['scenario'], (options: Options) => Promise<readonly Violation[]>>
> = {
  'kill-loop': loopAndPrint,
  'kafka-frozen': freezeAndPrint,
  'rolling-restart': rollAndPrint,
  'single-faults': singleAndPrint,
  serve,
};

/** Lets everything that was started go with us. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

async function start(
  { store, surroundings }: Options,
  overrides: Readonly<Record<string, string>>,
): Promise<FaultSystem> {
  const beganMs = performance.now();
  const system = await startFaultSystem({ ...surroundings, store, report: print, overrides });
  const tookS = ((performance.now() - beganMs) / 1000).toFixed(1);
  print(`${system.instances.length} processes and their engines run after ${tookS} s`);
  return system;
}

/** Until a signal ends us. */
async function serve(options: Options): Promise<readonly Violation[]> {
  const system = await start(options, {});
  print(`${system.baseUrl} for ${system.operatorEmail} with ${system.operatorPassword}`);
  await new Promise((resolve) => setInterval(resolve, 2 ** 31 - 1));
  return [];
}

async function loopAndPrint(options: Options): Promise<readonly Violation[]> {
  const { cycles, requests, seed } = options;
  print(`${cycles} cycles, ${requests} requests, seed ${seed}`);
  const beganMs = performance.now();
  const system = await start(options, leaseSettings(options));
  const accounts = await openAccounts(system);
  const result = await runKillLoop(system, accounts, { cycles, requests, seed, report: print });
  if (options.evidence !== undefined) writeEvidence(options.evidence, result);
  const guarded = await describeGuardedWrites(system);
  const violations = [...result.violations, ...(await stopAndCheck(system))];
  if (options.logs !== undefined) writeLogs(options.logs, system, violations);
  const durationS = Math.round((performance.now() - beganMs) / 1000);
  if (violations.length > 0) print(formatViolations(violations, system.logs()));
  print(formatKillLoop({ ...result, violations } satisfies Reconciled, { ...options, durationS }));
  print(guarded);
  return violations;
}

async function freezeAndPrint(options: Options): Promise<readonly Violation[]> {
  if (options.store === 'embedded') throw new Error('kafka-frozen needs --engines real');
  const { system, accounts } = await startWithAccounts(options);
  const result = await runKafkaFrozen(system, accounts, {
    connections: options.connections,
    beforeMs: options.beforeS * 1000,
    frozenMs: options.frozenS * 1000,
    afterMs: options.afterS * 1000,
    settledAfterMs: options.settledS * 1000,
    report: print,
  });
  return stopAndPrint(system, options, result.violations, formatFreeze(result));
}

async function rollAndPrint(options: Options): Promise<readonly Violation[]> {
  const { system, accounts } = await startWithAccounts(options, ROLLING_SETTINGS);
  const { streams } = options;
  const result = await runRollingRestart(system, accounts, { streams, report: print });
  return stopAndPrint(system, options, result.violations, formatRolling(result));
}

async function singleAndPrint(options: Options): Promise<readonly Violation[]> {
  const { system, accounts } = await startWithAccounts(options);
  const kafkaAwayMs = options.kafkaAwayS * 1000;
  const result = await runSingleFaults(system, accounts, {
    faults: options.faults ?? [...listFaults(system, kafkaAwayMs).keys()],
    kafkaAwayMs,
    connections: options.connections,
    report: print,
  });
  return stopAndPrint(system, options, result.violations, formatSingleFaults(result));
}

async function startWithAccounts(
  options: Options,
  overrides: Readonly<Record<string, string>> = {},
) {
  // All its accounts are opened from one address.
  const system = await start(options, {
    ...overrides,
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '10000',
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '100000',
  });
  print(`opening ${options.accounts} accounts`);
  return { system, accounts: await openAccounts(system, richAccounts(options.accounts)) };
}

async function stopAndPrint(
  system: FaultSystem,
  options: Options,
  found: readonly Violation[],
  table: string,
): Promise<readonly Violation[]> {
  const guarded = await describeGuardedWrites(system);
  const violations = [...found, ...(await stopAndCheck(system))];
  if (options.logs !== undefined) writeLogs(options.logs, system, violations);
  if (violations.length > 0) print(formatViolations(violations, system.logs()));
  print(table);
  print(guarded);
  print(violations.length === 0 ? 'nobody noticed' : `${violations.length} violations`);
  return violations;
}

/** What several writers of one account cost. */
async function describeGuardedWrites(system: FaultSystem): Promise<string> {
  const { writes, misses } = await system.guardedWrites();
  return `${misses} of ${writes} writes of accounts found a newer one (the billings that run now)`;
}

/** A file for each process, with all that it printed, and one for what was found. */
function writeLogs(directory: string, system: FaultSystem, violations: readonly Violation[]): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'violations.txt'), violations.map(formatViolation).join('\n'));
  for (const [name, log] of Object.entries(system.logs())) {
    writeFileSync(join(directory, `${name}.log`), log);
  }
}

function writeEvidence(path: string, { evidence, violations }: Reconciled): void {
  const toText = (_name: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value;
  writeFileSync(path, JSON.stringify({ violations, evidence }, toText));
}

/** The margin in which a holder no longer reserves keeps its default proportion. */
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
