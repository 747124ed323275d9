import { readFileSync } from 'node:fs';
import { type RunningProcess, startProcess } from '../support/running-process';

/** Cores that a process may use; the stack has one to itself, the load and the vendor the other. */
export const STACK_CORE = '0';
export const LOAD_CORE = '1';

const START_TIMEOUT_MS = 60_000;

/** Starts a Node program on one core; `ready` must match its port or address. */
export async function startOnCore(
  core: string,
  args: readonly string[],
  ready: RegExp,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly process: RunningProcess; readonly match: RegExpExecArray }> {
  const running = startProcess('taskset', ['-c', core, process.execPath, ...args], {
    directory: process.cwd(),
    environment,
  });
  const match = await running.waitForOutput(ready, START_TIMEOUT_MS);
  return { process: running, match };
}

/** Microseconds of CPU that the process has used, user and system. */
export function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  // The kernel counts in hundredths of a second on every Linux that Node runs on.
  return ticks * 10_000;
}

/** Ends the process by its own id and waits for it. */
export async function stop(running: RunningProcess): Promise<void> {
  running.signal('SIGTERM');
  await running.exited;
}
