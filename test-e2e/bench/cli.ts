import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isInstalled } from '../engines/run-command';
import { someNumber } from '../support/option-values';
import { REPOSITORY } from '../support/repository';
import { measureLongPrompts } from './long-prompts';
import { startPeer } from './peer-system';
import { LOAD_CORE, startOnCore, stop } from './processes';
import { formatLongPrompts, formatSpeed, formatStoreCosts } from './report';
import { startSeparateTollgate } from './separate-system';
import { measureSpeed, type SpeedCase } from './speed';
import { measureStoreCommands } from './store-commands';
import { startPassThrough, startTollgate } from './systems';

const USAGE = `Measures speed beside a pass-through that does nothing else (R), and counts the
commands that requests cost the store, at its wire, and what another tenant's long prompts cost.

usage: npm run bench -- [options]

  --only PART      speed, store or long-prompts (default: all)
  --peer           also measures Portkey 1.15.2, which npm installs at the first use (P)
  --separate       also measures all services as processes, on a Kafka and a Redis
  --rounds N       trials of each system (default 3)
  --seconds N      length of a trial (default 5)
  --accounts N     quiet accounts that the store is measured with (default 10000)
  --for N          seconds for which they ask, once in 30 s each (default 60)
  --help           prints this

Compare figures of one run only: machines differ, and so do their hours.
`;

const FAILED = 1;
const MISUSED = 2;
const MESSAGES = [{ role: 'user', content: 'Say something of middling length, please.' }];
const WHOLE = JSON.stringify({ model: 'bench', messages: MESSAGES, max_tokens: 100 });
const STREAMED = JSON.stringify({
  model: 'bench',
  messages: MESSAGES,
  max_tokens: 100,
  stream: true,
});
const CONNECTIONS = [1, 16, 128];
const CASES: readonly SpeedCase[] = [
  ...CONNECTIONS.map((connections) => ({
    name: `whole, c=${connections}`,
    body: WHOLE,
    connections,
  })),
  ...CONNECTIONS.map((connections) => ({
    name: `34-event stream, c=${connections}`,
    body: STREAMED,
    connections,
  })),
];

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined || options.help) {
    process[options === undefined ? 'stderr' : 'stdout'].write(USAGE);
    process.exitCode = options === undefined ? MISUSED : 0;
    return;
  }
  const missing = ['wrk', 'taskset'].filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    print(`The bench needs ${missing.join(' and ')}: install them and run it again.`);
    process.exitCode = FAILED;
    return;
  }
  const upstream = join(REPOSITORY, 'test-e2e/bench/upstream.cjs');
  const vendor = await startOnCore(LOAD_CORE, [upstream], /listening (\d+)/);
  try {
    await measure(options, `http://127.0.0.1:${vendor.match[1]}`);
  } finally {
    await stop(vendor.process);
  }
}

async function measure(options: Options, vendorUrl: string): Promise<void> {
  if (options.parts.includes('speed')) {
    const contenders = [
      { name: 'R', start: () => startPassThrough(vendorUrl) },
      ...(options.peer ? [{ name: 'P', start: () => startPeer(vendorUrl) }] : []),
      { name: 'Tollgate, one process', start: () => startTollgate(vendorUrl) },
      ...(options.separate
        ? [{ name: 'Tollgate, separate', start: () => startSeparateTollgate(vendorUrl) }]
        : []),
    ];
    const { rounds, seconds: secondsPerTrial } = options;
    const trials = await measureSpeed({
      ...{ contenders, cases: CASES, rounds, secondsPerTrial },
      progress: print,
    });
    print(`\n${formatSpeed(CASES, trials)}\n`);
    print(
      `Medians (lowest to highest) of ${rounds} trials of ${secondsPerTrial} s; every feature on.`,
    );
  }
  if (options.parts.includes('store')) {
    const { accounts, populationSeconds: seconds } = options;
    const costs = await measureStoreCommands({
      ...{ vendorUrl, body: WHOLE, accounts, seconds },
      progress: print,
    });
    print(`\n${formatStoreCosts(costs)}\n`);
    print('Commands of all services, background work included; without hello and ping.');
  }
  if (options.parts.includes('long-prompts')) {
    const { rounds, seconds } = options;
    const cost = await measureLongPrompts({
      ...{ vendorUrl, body: WHOLE, rounds, seconds },
      progress: print,
    });
    print(`\n${formatLongPrompts(cost)}\n`);
    print('One connection; another account sends two prompts of 1 MB of random letters at a time.');
  }
}

const PARTS = ['speed', 'store', 'long-prompts'] as const;
type Part = (typeof PARTS)[number];

interface Options {
  readonly help: boolean;
  readonly parts: readonly Part[];
  readonly peer: boolean;
  readonly separate: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly accounts: number;
  readonly populationSeconds: number;
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
        peer: { type: 'boolean', default: false },
        separate: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '5' },
        accounts: { type: 'string', default: '10000' },
        for: { type: 'string', default: '60' },
      },
    });
    const parts = PARTS.filter((part) => (values.only ?? part) === part);
    if (parts.length === 0) return undefined;
    return {
      help: values.help,
      parts,
      peer: values.peer,
      separate: values.separate,
      rounds: someNumber(values.rounds),
      seconds: someNumber(values.seconds),
      accounts: someNumber(values.accounts),
      populationSeconds: someNumber(values.for),
    };
  } catch {
    return undefined;
  }
}
