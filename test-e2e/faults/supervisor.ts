import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceName, ProcessName } from '../topologies/instances';
import type { SeparateTollgate } from '../topologies/separate';

const START_ATTEMPTS_MAX = 10;
const START_PAUSE_MS = 500;
const LOG_LINES = 25;

/** A process that ended though nobody ended it. */
export interface Crash {
  readonly name: ProcessName;
  readonly code: number | string;
  readonly log: string;
}

/** Restarts what ends by itself, as the installation of an operator would, and remembers it. */
export interface Supervisor {
  /** Starts it until it runs: what it needs may be away as well. */
  bringUp(name: ProcessName): Promise<void>;
  /** Replaces it by another, in order; answers its exit code. */
  replace(name: InstanceName): Promise<number | string>;
  /** Ends it; it stays away until it is brought up. */
  end(name: ProcessName, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  crashes(): readonly Crash[];
  /** From now on everything may end. */
  release(): void;
}

/** Watches every process of the installation. */
export function createSupervisor(
  tollgate: SeparateTollgate,
  report: (line: string) => void,
): Supervisor {
  const crashes: Crash[] = [];
  const ended = new Set<number>();
  let released = false;

  const watch = (name: ProcessName): void => {
    const running = tollgate.process(name);
    void running.exited.then((code) => {
      if (released || ended.has(running.pid)) return;
      crashes.push({ name, code, log: lastLines(running.output()) });
      report(`${name} ended by itself with ${code}`);
      bringUp(name).catch(() => report(`${name} does not come up again`));
    });
  };
  const bringUp = async (name: ProcessName): Promise<void> => {
    await startUntilUp(name, () => tollgate.start(name), report);
    watch(name);
  };
  for (const name of tollgate.processes) watch(name);
  return {
    bringUp,
    crashes: () => crashes,
    async replace(name) {
      const leaving = tollgate.process(name);
      ended.add(leaving.pid);
      const start = () => startUntilUp(name, () => tollgate.start(name), report);
      const code = await tollgate.replace(name, start);
      if (code !== 0) report(`${name} ended with ${code}:\n${lastLines(leaving.output())}`);
      watch(name);
      return code;
    },
    async end(name, signal) {
      const running = tollgate.process(name);
      ended.add(running.pid);
      running.signal(signal);
      await running.exited;
    },
    release() {
      released = true;
    },
  };
}

/** Tries again for a while; what is started ends what a failed try left. */
export async function startUntilUp(
  name: string,
  start: () => Promise<void>,
  report: (line: string) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await start();
      return;
    } catch (error) {
      if (attempt === START_ATTEMPTS_MAX) throw error;
      report(`${name} did not start, attempt ${attempt}`);
      await delay(START_PAUSE_MS);
    }
  }
}

/** The end of a log. */
export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
}
