import { readFileSync } from 'node:fs';
import { REPOSITORY } from '../support/repository';
import { type RunningProcess, startProcess } from '../support/running-process';
import type { BenchSystem } from './systems/system';

/** Cores that a process may use; the system has one to itself, the load and the vendor the other. */
export const SYSTEM_CORE = '0';
export const LOAD_CORE = '1';

const START_TIMEOUT_MS = 60_000;

/** Starts a program on one core, a Node program if it is not said; `ready` must match its output. */
export async function startOnCore(
  core: string,
  args: readonly string[],
  ready: RegExp,
  environment: Readonly<Record<string, string>> = {},
  program: string = process.execPath,
): Promise<{ readonly process: RunningProcess; readonly match: RegExpExecArray }> {
  const running = startProcess('taskset', ['-c', core, program, ...args], {
    directory: process.cwd(),
    environment,
  });
  const match = await running.waitForOutput(ready, START_TIMEOUT_MS);
  return { process: running, match };
}

/** Runs a program of the load to its end, on the core of the load; answers what it printed. */
export async function runOnLoadCore(program: string, args: readonly string[]): Promise<string> {
  const running = startProcess('taskset', ['-c', LOAD_CORE, program, ...args], {
    directory: REPOSITORY,
    environment: {},
  });
  if ((await running.exited) !== 0) throw new Error(`${program} failed:\n${running.output()}`);
  return running.output();
}

/** Moves all threads of a process that runs already. */
export async function moveToCore(pid: number, core: string): Promise<void> {
  const args = ['--all-tasks', '--cpu-list', '--pid', core, String(pid)];
  const moved = startProcess('taskset', args, { directory: REPOSITORY, environment: {} });
  if ((await moved.exited) !== 0) throw new Error(moved.output());
}

/** Microseconds of CPU that each process of the system has used so far, user and system. */
export function cpuByProcess({ processes }: BenchSystem): ReadonlyMap<string, number> {
  return new Map(processes.map(({ name, process: { pid } }) => [name, cpuMicroseconds(pid)]));
}

/** What each process has used since the earlier look. */
export function cpuSince(
  system: BenchSystem,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const now = cpuByProcess(system);
  return new Map([...now].map(([name, us]) => [name, us - (before.get(name) ?? 0)]));
}

/** What all of them together have used since the earlier look. */
export function totalCpuSince(system: BenchSystem, before: ReadonlyMap<string, number>): number {
  return [...cpuSince(system, before).values()].reduce((sum, us) => sum + us, 0);
}

/** CPU time of all threads of a process since it began. */
export function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  // The kernel counts in hundredths of a second on every Linux that Node runs on.
  return ticks * 10_000;
}

/** Resident memory of the process, bytes. */
export function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) * 1024;
}

/** Ends the process by its own id and waits for it. */
export async function stop(running: RunningProcess): Promise<void> {
  running.signal('SIGTERM');
  await running.exited;
}
