import { type ChildProcess, spawn } from 'node:child_process';
import { killWithUs } from './watchdog';

/** What each process of the product logs at level info once it takes requests. */
export const STARTED = /"(msg|message)":"started"/;

/** A process of the product, as a test sees it. */
export interface RunningProcess {
  readonly pid: number;
  /** Everything written to standard output and error so far. */
  output(): string;
  /** Resolves with the first match; rejects with the output when the process ends or time is up. */
  waitForOutput(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
  /** Resolves with the exit code, or the signal's name. */
  readonly exited: Promise<number | string>;
  signal(name: NodeJS.Signals): void;
  /** Stops listening, as `head` does when it has seen enough: the program's writes fail from now on. */
  closeOutput(): void;
}

/** Starts a program with exactly this environment besides PATH and HOME; it never outlives us. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: { readonly directory: string; readonly environment: Readonly<Record<string, string>> },
): RunningProcess {
  const child: ChildProcess = spawn(command, args, {
    cwd: options.directory,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  child.once('exit', killWithUs(pid));
  let text = '';
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });

  return {
    pid,
    output: () => text,
    exited,
    signal: (name) => {
      child.kill(name);
    },
    closeOutput() {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    waitForOutput: (pattern, timeoutMs) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          settle();
        };
        const look = () => {
          const match = pattern.exec(text);
          if (match !== null) finish(() => resolve(match));
        };
        const fail = (why: string) =>
          finish(() => reject(new Error(`${why} before ${pattern}:\n${text}`)));
        const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
        void exited.then((code) => fail(`the process ended with ${code}`));
        listeners.add(look);
        look();
      }),
  };
}

/** One unlabelled gauge of the process. */
export async function readGauge(process: RunningProcess, name: string): Promise<number> {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(await readMetrics(process))?.[1];
  if (value === undefined) throw new Error(`no ${name} in the metrics`);
  return Number(value);
}

/** A counter of the process: the sum over its labels, or over those that match. */
export async function readCounter(
  process: RunningProcess,
  name: string,
  labels = '.*',
): Promise<number> {
  const lines = new RegExp(`^${name}(?:\\{${labels}\\})? (\\d+)$`, 'gm');
  const values = [...(await readMetrics(process)).matchAll(lines)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Of a process that logs at level info, which tells its admin port. */
async function readMetrics(process: RunningProcess): Promise<string> {
  const [, port] = await process.waitForOutput(/"adminPort":(\d+)/, 60_000);
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
