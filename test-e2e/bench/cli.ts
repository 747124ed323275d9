import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { oneOf, someNumber, wholeNumber } from '../support/option-values';
import { REPOSITORY } from '../support/repository';
import { isInstalled } from '../support/run-command';
import { VENDOR_CAP } from './load/vendor';
import { LOAD_CORE, startOnCore, stop } from './processes';
import { writeSection } from './report/page';
import { SCENARIOS } from './scenarios/all';
import { ONE_API_VERSION } from './systems/one-api';
import { PORTKEY_VERSION } from './systems/portkey';
import { programOf } from './systems/system';
import { anySeed, type BenchOptions, createTestBed, type Scenario } from './test-bed';

const FAILED = 1;
const MISUSED = 2;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined || options.help) {
    process[options === undefined ? 'stderr' : 'stdout'].write(usage());
    process.exitCode = options === undefined ? MISUSED : 0;
    return;
  }
  const missing = ['wrk', 'taskset'].filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    print(`The bench needs ${missing.join(' and ')}: install them and run it again.`);
    process.exitCode = FAILED;
    return;
  }
  const failed: string[] = [];
  for (const [name, scenario] of options.scenarios) {
    try {
      await runScenario(scenario, options, args);
    } catch (error) {
      failed.push(name);
      print(`${name}: ${(error as Error).stack}`);
    }
  }
  if (failed.length === 0) return;
  print(`failed: ${failed.join(', ')}`);
  process.exitCode = FAILED;
}

/** One scenario with a vendor of its own, so that none inherits what another left open. */
async function runScenario(
  scenario: Scenario,
  options: Options,
  args: readonly string[],
): Promise<void> {
  const vendor = await startOnCore(
    LOAD_CORE,
    [programOf('vendor'), String(VENDOR_CAP)],
    /listening (\d+)/,
  );
  try {
    const testBed = createTestBed(`http://127.0.0.1:${vendor.match[1]}`, options, print);
    const section = await scenario.run(testBed);
    print(`\n## ${section.title}\n\n${section.markdown}\n`);
    const place = {
      directory: join(REPOSITORY, options.publish ? 'test-e2e/bench/results' : '.cache/bench'),
      date: new Date().toISOString().slice(0, 10),
      command: ['npm run bench --', ...args].join(' ').replace(/ --$/, ''),
      versions: versionsOf(),
    };
    print(`written to ${writeSection(section, place)}`);
  } finally {
    await stop(vendor.process);
  }
}

function versionsOf(): Readonly<Record<string, string>> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: REPOSITORY });
  return {
    Tollgate: commit.toString().trim(),
    Node: process.version.slice(1),
    Portkey: PORTKEY_VERSION,
    'one-api': ONE_API_VERSION,
  };
}

interface Options extends BenchOptions {
  readonly help: boolean;
  readonly scenarios: readonly (readonly [name: string, scenario: Scenario])[];
  readonly publish: boolean;
}

/** Undefined, with the reason on standard error, when it cannot be understood. */
function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: ['speed'] },
        publish: { type: 'boolean', default: false },
        clone: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '4' },
        'warm-up': { type: 'string', default: '120' },
        seed: { type: 'string', default: String(anySeed()) },
        accounts: { type: 'string', default: '10000' },
        for: { type: 'string', default: '60' },
      },
    });
    return {
      help: values.help,
      scenarios: values.only.includes('all')
        ? Object.entries(SCENARIOS)
        : values.only.map((name) => [name, oneOf(name, SCENARIOS)] as const),
      publish: values.publish,
      clone: values.clone,
      rounds: someNumber(values.rounds),
      seconds: someNumber(values.seconds),
      warmUpSeconds: someNumber(values['warm-up']),
      seed: wholeNumber(values.seed),
      accounts: someNumber(values.accounts),
      longSeconds: someNumber(values.for),
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`);
    return undefined;
  }
}

function usage(): string {
  const scenarios = Object.entries(SCENARIOS).map(
    ([name, { about }]) => `  ${name.padEnd(21)}${about}\n`,
  );
  return `Measures Tollgate beside a pass-through that does nothing else (R), a bare hop between two
processes, and Portkey (P), which npm installs at the first use.

usage: npm run bench -- [options]

  --only NAME    one of the scenarios below, or all; may be given again (default: speed)
  --rounds N     trials of each system (default 3)
  --seconds N    length of a trial (default 4)
  --warm-up N    seconds of load at most before the first trial of a system (default 120)
  --seed N       draws the order of systems and loads (default: another one each time)
  --accounts N   accounts of the scenarios that have many (default 10000)
  --for N        seconds of the scenarios that take long (default 60)
  --clone        "start" also starts a clean clone with a warm package cache
  --publish      writes the page into test-e2e/bench/results instead of .cache/bench
  --help         prints this

scenarios:
${scenarios.join('')}
Compare figures of one run only: machines differ, and so do their hours.
`;
}
