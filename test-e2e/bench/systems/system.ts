import { join } from 'node:path';
import { REPOSITORY } from '../../support/repository';
import type { RunningProcess } from '../../support/running-process';

/** A process whose CPU time counts, by the name that it has in the tables. */
export interface MeasuredProcess {
  readonly name: string;
  readonly process: RunningProcess;
}

/** Something that stands between the load and the vendor. */
export interface BenchSystem {
  readonly url: string;
  /** What every request carries besides its content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it costs: engines that others share are not among them. */
  readonly processes: readonly MeasuredProcess[];
  stop(): Promise<void>;
}

/** Systems by the letter or the name that the tables give them. */
export type SystemName =
  | ('vendor alone' | 'R' | 'hop' | 'P' | 'one-api')
  | ('Tollgate' | 'Tollgate, one process');

/** A system under measurement: started anew for every round. */
export interface Contender {
  readonly name: SystemName;
  /** With further variables for every process of it. */
  start(environment?: Readonly<Record<string, string>>): Promise<BenchSystem>;
}

/** What runs as a process of its own: a file of `bench/programs`. */
export const programOf = (name: string): string =>
  join(REPOSITORY, 'test-e2e/bench/programs', `${name}.cjs`);

/** Where every system takes chat completions. */
export const CHAT_PATH = '/v1/chat/completions';
