import { dirname, join } from 'node:path';
import { makeDirectory } from '../support/temporary-directory';
import { type LoadResult, offer } from './load';
import { cpuMicroseconds, isInstalled, LOAD_CORE, startOnCore, stop } from './processes';
import { type BenchSystem, startPassThrough, startTollgate } from './systems';

const WARM_UP_SECONDS = 3;
const TRIAL_SECONDS = 5;
const TRIALS = 3;
const CONNECTIONS = [1, 16];
const MESSAGES = [{ role: 'user', content: 'Say something of middling length, please.' }];
const BODIES = {
  whole: JSON.stringify({ model: 'bench', messages: MESSAGES, max_tokens: 100 }),
  streamed: JSON.stringify({ model: 'bench', messages: MESSAGES, max_tokens: 100, stream: true }),
};
type BodyName = keyof typeof BODIES;

interface Trial extends LoadResult {
  readonly cpuPerRequestUs: number;
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function measure(
  system: BenchSystem,
  body: BodyName,
  connections: number,
  directory: string,
): Promise<Trial> {
  const load = { url: system.url, apiKey: system.apiKey, body: BODIES[body], connections };
  const before = cpuMicroseconds(system.process.pid);
  const result = await offer({ ...load, seconds: TRIAL_SECONDS }, directory);
  const cpu = cpuMicroseconds(system.process.pid) - before;
  return { ...result, cpuPerRequestUs: cpu / result.requests };
}

async function main(): Promise<void> {
  const missing = ['wrk', 'taskset'].filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    print(`The bench needs ${missing.join(' and ')}: install them and run it again.`);
    process.exitCode = 1;
    return;
  }
  const directory = makeDirectory();
  const upstream = join(dirname(process.argv[1] ?? ''), 'upstream.cjs');
  const vendor = await startOnCore(LOAD_CORE, [upstream], /listening (\d+)/);
  const vendorUrl = `http://127.0.0.1:${vendor.match[1]}`;
  const starters = [startPassThrough, startTollgate];
  const trials = new Map<string, Trial[]>();
  const key = (name: string, body: BodyName, connections: number) =>
    `${name} ${body} c=${connections}`;

  for (let round = 1; round <= TRIALS; round += 1) {
    // One system at a time, the order turned every round, so that drift of the machine evens out.
    for (const start of round % 2 === 0 ? [...starters].reverse() : starters) {
      const system = await start(vendorUrl);
      const warmUp = { url: system.url, apiKey: system.apiKey, connections: 16 };
      await offer({ ...warmUp, body: BODIES.whole, seconds: WARM_UP_SECONDS }, directory.path);
      for (const body of Object.keys(BODIES) as BodyName[]) {
        for (const connections of CONNECTIONS) {
          const trial = await measure(system, body, connections, directory.path);
          const name = key(system.name, body, connections);
          trials.set(name, [...(trials.get(name) ?? []), trial]);
          print(`round ${round}  ${name}  ${Math.round(trial.perSecond)}/s`);
        }
      }
      await system.stop();
    }
  }
  await stop(vendor.process);
  directory.remove();

  print('');
  print('| load | system | requests/s | CPU µs per request | p50 µs | p99 µs | requests/s ÷ R |');
  print('|---|---|--:|--:|--:|--:|--:|');
  for (const body of Object.keys(BODIES) as BodyName[]) {
    for (const connections of CONNECTIONS) {
      const of = (name: string, read: (trial: Trial) => number) =>
        median((trials.get(key(name, body, connections)) ?? []).map(read));
      const reference = of('R', (trial) => trial.perSecond);
      for (const name of ['R', 'Tollgate']) {
        const perSecond = of(name, (trial) => trial.perSecond);
        const cells = [
          `${body}, c=${connections}`,
          name,
          Math.round(perSecond),
          Math.round(of(name, (trial) => trial.cpuPerRequestUs)),
          Math.round(of(name, (trial) => trial.p50Us)),
          Math.round(of(name, (trial) => trial.p99Us)),
          (perSecond / reference).toFixed(2),
        ];
        print(`| ${cells.join(' | ')} |`);
      }
    }
  }
  print('');
  print(
    `Medians of ${TRIALS} trials of ${TRIAL_SECONDS} s; every feature on, one process, one core.`,
  );
}

void main();
