import { makeDirectory } from '../support/temporary-directory';
import { type LoadResult, offer } from './load';
import { cpuMicroseconds } from './processes';
import type { BenchSystem } from './systems';

/** A large program is compiled piece by piece as it is used. */
const WARM_UP_SECONDS = 10;

/** What is asked of a system: a name for the table, the body, and how many ask at once. */
export interface SpeedCase {
  readonly name: string;
  readonly body: string;
  readonly connections: number;
}

/** A system under measurement: started anew for every round. */
export interface Contender {
  readonly name: string;
  start(): Promise<BenchSystem>;
}

export interface SpeedOptions {
  readonly contenders: readonly Contender[];
  readonly cases: readonly SpeedCase[];
  readonly rounds: number;
  readonly secondsPerTrial: number;
  progress(sentence: string): void;
}

/** One measurement of one system. */
export interface Trial extends LoadResult {
  readonly contender: string;
  readonly caseName: string;
  /** Of all processes of the system. */
  readonly cpuPerRequestUs: number;
}

/** Measures one system at a time, in an order that turns every round. */
export async function measureSpeed(options: SpeedOptions): Promise<readonly Trial[]> {
  const directory = makeDirectory();
  const trials: Trial[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      // The machine drifts; nobody is always first.
      const shift = round % options.contenders.length;
      const order = [...options.contenders.slice(shift), ...options.contenders.slice(0, shift)];
      for (const contender of order) {
        const found = await measureContender(contender, options, directory.path);
        for (const trial of found) {
          const perSecond = Math.round(trial.perSecond);
          const where = `${trial.contender}, ${trial.caseName}`;
          options.progress(`round ${round + 1}: ${where}: ${perSecond} requests/s`);
        }
        trials.push(...found);
      }
    }
    return trials;
  } finally {
    directory.remove();
  }
}

async function measureContender(
  contender: Contender,
  options: SpeedOptions,
  directory: string,
): Promise<readonly Trial[]> {
  const system = await contender.start();
  const { url, headers } = system;
  try {
    for (const { body } of options.cases.slice(0, 2)) {
      await offer({ url, headers, body, connections: 16, seconds: WARM_UP_SECONDS }, directory);
    }
    const trials: Trial[] = [];
    for (const { name, body, connections } of options.cases) {
      const load = { url, headers, body, connections, seconds: options.secondsPerTrial };
      const beforeUs = cpuOf(system);
      const result = await offer(load, directory);
      const cpuPerRequestUs = (cpuOf(system) - beforeUs) / result.requests;
      trials.push({ ...result, contender: contender.name, caseName: name, cpuPerRequestUs });
    }
    return trials;
  } finally {
    await system.stop();
  }
}

function cpuOf({ processes }: BenchSystem): number {
  return processes.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0);
}
