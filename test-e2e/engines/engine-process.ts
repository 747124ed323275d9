import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { killWithUs, removeWithUs } from '../support/watchdog';
import { type Report, step } from './installation';

/** How to run one engine, once its data directory is ready. */
export interface EngineCommand {
  readonly name: string;
  /** What tests connect to. */
  readonly url: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Everything it writes; removed when it is stopped for good. */
  readonly dataDirectory: string;
  readonly startTimeoutMs: number;
  /** True once it takes commands. `log` is what it has printed since this start. */
  isReady(log: string): Promise<boolean>;
}

/** An engine that runs, as tests and the command line hold it. */
export interface RunningEngine {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly dataDirectory: string;
  /** Ends it as a power cut would (SIGKILL); its data stays. */
  kill(): Promise<void>;
  /** Freezes it: connections stay open and nothing answers. */
  freeze(): void;
  /** Lets a frozen engine go on. */
  thaw(): void;
  /** Starts it again on the same data and ports, after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly report: Report;
  /** True when it must outlive this process; somebody else then ends it by its pid. */
  readonly detached: boolean;
  /** It will be killed and started again, and is to work soon after; a pause costs it more then. */
  readonly isKilled?: boolean;
}

/** A directory for one engine's data. */
export function makeDataDirectory(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `tollgate-${name}-`));
}

/** Starts the engine and waits until it takes commands. */
export async function startEngine(
  command: EngineCommand,
  options: StartOptions,
): Promise<RunningEngine> {
  const logPath = join(command.dataDirectory, 'engine.log');
  let pid = await launch(command, logPath, options);
  const release = options.detached ? undefined : removeWithUs(command.dataDirectory);
  return {
    name: command.name,
    url: command.url,
    dataDirectory: command.dataDirectory,
    get pid() {
      return pid;
    },
    kill: () => endProcess(pid, 'SIGKILL'),
    freeze: () => void signalProcess(pid, 'SIGSTOP'),
    thaw: () => void signalProcess(pid, 'SIGCONT'),
    async restart() {
      pid = await launch(command, logPath, options);
    },
    async stop() {
      await endProcess(pid, 'SIGTERM');
      await rm(command.dataDirectory, { recursive: true, force: true });
      release?.();
    },
  };
}

async function launch(
  command: EngineCommand,
  logPath: string,
  { report, detached }: StartOptions,
): Promise<number> {
  return step(report, `${command.name} ready at ${command.url}`, async () => {
    const output = openSync(logPath, 'a');
    const logStart = (await readFile(logPath)).length;
    const child = spawn(command.program, [...command.args], {
      cwd: command.dataDirectory,
      detached,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child.unref();
    const release = detached || child.pid === undefined ? undefined : killWithUs(child.pid);
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        reject(new Error(`${command.name} ended at once: ${signal ?? code}`));
      });
    });
    const newLog = async () => (await readFile(logPath)).subarray(logStart).toString('utf8');
    const ready = async () => command.isReady(await newLog());
    try {
      await Promise.race([
        failed,
        eventually(() => ready().catch(() => false), isTrue, command.startTimeoutMs),
      ]);
    } catch (error) {
      if (child.pid !== undefined) await endProcess(child.pid, 'SIGKILL');
      release?.();
      const lines = (await newLog()).trimEnd().split('\n').slice(-20).join('\n');
      throw new Error(`${command.name} did not start:\n${lines}`, { cause: error });
    }
    child.removeAllListeners();
    if (release !== undefined) child.once('exit', release);
    if (child.pid === undefined) throw new Error(`${command.name} has no process id`);
    return child.pid;
  });
}

const isTrue = (answer: boolean) => answer;

/** Sends a signal to one process by its id; false when it is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

const TERM_TIMEOUT_MS = 15_000;
const KILL_TIMEOUT_MS = 5_000;

/** Ends one process and waits until it is gone, by force when it takes too long. */
export async function endProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!signalProcess(pid, signal)) return;
  // A frozen process takes no signal but the last one.
  signalProcess(pid, 'SIGCONT');
  const endsWithin = (timeoutMs: number) =>
    eventually(async () => !(await isAlive(pid)), isTrue, timeoutMs).catch(() => false);
  if (signal === 'SIGTERM') {
    if (await endsWithin(TERM_TIMEOUT_MS)) return;
    signalProcess(pid, 'SIGKILL');
  }
  if (!(await endsWithin(KILL_TIMEOUT_MS))) throw new Error(`process ${pid} does not end`);
}

/**
 * A process whose first thread has ended shows as a zombie while the others still hold its ports
 * and files. Our own child is gone when Node has reaped it; a zombie of somebody who never reaps
 * counts as gone once no other thread is left.
 */
async function isAlive(pid: number): Promise<boolean> {
  if (!signalProcess(pid, 0)) return false;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return signalProcess(pid, 0);
  // After the name, which may hold anything and ends with the last bracket: state, parent.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state !== 'Z' || Number(parent) === process.pid) return true;
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return threads.length > 1;
}

/** Sends bytes and gives the first that come back; rejects when nothing does in time. */
export function ask(port: number, question: Buffer, timeoutMs = 1_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeoutMs, () => fail(new Error('no answer in time')));
    socket.once('error', fail);
    socket.once('end', () => fail(new Error('closed without an answer')));
    socket.once('connect', () => socket.write(question));
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer);
    });
  });
}
